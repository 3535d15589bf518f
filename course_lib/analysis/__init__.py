"""Measurements on representations: senses, neighbours, intervals."""
