"""From characters on a page to arrays of numbers."""
