"""Conversations and single messages as files: text, Markdown, HTML, JSON and pictures, tapbacks included."""
