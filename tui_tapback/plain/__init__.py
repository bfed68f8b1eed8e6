"""The chat as plain lines, for screen readers and for terminals that only write: no box, no redraw."""
