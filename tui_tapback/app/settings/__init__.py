"""The settings while the program runs: what counts, how a change comes in, what the screen of them shows."""
