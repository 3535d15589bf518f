"""Small languages whose truth is known: the grammar engine, Rivertown, PW, CUE, XOR."""
