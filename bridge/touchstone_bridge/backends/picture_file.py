"""A picture as a file, for packages that take nothing but paths."""

import os
import tempfile


class PictureFile:
    def __init__(self, picture):
        self.picture = picture

    def __enter__(self) -> str:
        handle, self.path = tempfile.mkstemp(prefix="touchstone-", suffix=".png")
        with os.fdopen(handle, "wb") as file:
            self.picture.save(file, "PNG")
        return self.path

    def __exit__(self, *_) -> None:
        os.unlink(self.path)
