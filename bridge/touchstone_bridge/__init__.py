"""Published Python metrics behind JSON lines on stdin and stdout."""

VERSION = "0.1.0"

PROTOCOL = 1
"""Raised when an older reader would misread a line."""
