"""Metrics of a user's own."""


def brightness(image, text: str) -> float:
    """Mean of all channels, from 0 to 1."""
    data = image.tobytes()
    return sum(data) / len(data) / 255


brightness.range = (0, 1)


def words(image, text: str) -> float:
    return len(text.split())


def moody(image, text: str) -> float:
    if "dark" in text:
        raise RuntimeError("afraid of the dark")
    return float("nan") if "none" in text else 1.0


class Blue:
    """A metric with a state: made once, called for each image."""

    direction = "lower"
    version = 2

    def __call__(self, image, text: str) -> float:
        return float(image.getpixel((0, 0))[2])


blue = Blue()
