"""What a widget is in the browser: modules, style sheets, words in two languages."""
