"""What is measured: a room for each group of claims, its EXPERIMENTS by name."""
