"""How the book is made from the notebooks: a room for each part (tools/book.py)."""
