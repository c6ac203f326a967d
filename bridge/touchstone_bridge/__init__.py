"""Published Python metrics, functions of one's own and diffusers behind stdin and stdout."""

from .failure import Refused

__all__ = ["PROTOCOL", "Refused", "VERSION"]

VERSION = "0.1.0"

PROTOCOL = 2
"""Raised when an older reader would misread a message."""
