"""The emoji: catalogue, normalisation, search, and the pure models of the picker."""
