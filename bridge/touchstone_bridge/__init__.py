"""Published Python metrics, functions of one's own and diffusers behind stdin and stdout."""

VERSION = "0.1.0"

PROTOCOL = 2
"""Raised when an older reader would misread a message."""
