"""What of a text and an image does not reach a network: the end of a long text, the ends of a wide image."""


def tokens_read(read: int, of: int) -> dict:
    """For an answer: a text of which only the first tokens were read."""
    return {"tokens": {"read": read, "of": of}} if read < of else {}


def cut_to_middle(size, shortest_edge: float, crop) -> dict:
    """For an answer: an image that is shrunk until its shorter side fits, and then cut to its middle.

    >>> cut_to_middle((400, 200), 224, (224, 224))
    {'unseen': 0.5}
    """
    scale = shortest_edge / min(size)
    width, height = (min(1, kept / max(1, round(side * scale))) for side, kept in zip(size, crop))
    unseen = 1 - width * height
    return {"unseen": unseen} if unseen > 0 else {}


def cut_by_transforms(size, transforms) -> dict:
    """The same of what torchvision's transforms do, as open_clip makes them."""
    steps = {type(one).__name__: one for one in getattr(transforms, "transforms", ())}
    resize, crop = steps.get("Resize"), steps.get("CenterCrop")
    if resize is None or crop is None or not isinstance(resize.size, int):
        return {}
    return cut_to_middle(size, resize.size, reversed(crop.size))


def tokens_of(tokenizer, text) -> dict:
    """What a tokenizer of open_clip reads of a text: CLIP's own, which adds a token at either end, or another's."""
    inner = getattr(tokenizer, "tokenizer", None)
    count = len(tokenizer.encode(text)) + 2 if inner is None else len(inner(text)["input_ids"])
    return tokens_read(tokenizer.context_length, count)
