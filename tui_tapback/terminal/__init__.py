"""What a terminal can draw, and the one place where an emoji becomes cells that fit it."""
