"""The headless client: link, mirror of what is confirmed, overlay of what is wished, one façade."""
