"""Grounded-SAM 2: GroundingDINO finds an entity's boxes, SAM 2 the outline in each."""

from math import ceil

from ..failure import Failure
from .backend import Network

THRESHOLD = 0.25
"""Of boxes and of words, as in GroundingDINO's published code."""


class GroundedSam(Network):
    """The mask is the union over all boxes. The model is DETECTOR+SEGMENTER, or DETECTOR+boxes."""

    name = "grounded-sam"
    abilities = ("localize",)
    default_model = "IDEA-Research/grounding-dino-tiny+facebook/sam2.1-hiera-tiny"
    packages = ("transformers", "torch")
    precisions = ()

    def open(self):
        from transformers import AutoModelForZeroShotObjectDetection, AutoProcessor

        detector, _, segmenter = self.model.partition("+")
        if not detector or not segmenter:
            hint = f"Such as {self.default_model}, or with boxes alone DETECTOR+boxes"
            raise Failure("load-failed", f"Expected DETECTOR+SEGMENTER but received {self.model!r}", hint)
        self.read = AutoProcessor.from_pretrained(detector)
        self.detector = AutoModelForZeroShotObjectDetection.from_pretrained(detector)
        self.detector = self.detector.to(self.where).eval()
        self.segmenter = None
        if segmenter != "boxes":
            from transformers import Sam2Model, Sam2Processor

            self.prompt = Sam2Processor.from_pretrained(segmenter)
            self.segmenter = Sam2Model.from_pretrained(segmenter).to(self.where).eval()

    def localize(self, images, texts) -> "list[list[float]]":
        # Pictures of one size with one text go through the detector together: no padding changes an answer.
        alike = {}
        for place, (picture, text) in enumerate(zip(images, texts)):
            alike.setdefault((picture.size, text), []).append(place)
        masks = [None] * len(images)
        for (_, text), places in alike.items():
            together = [images[place] for place in places]
            for place, boxes in zip(places, self.boxes(together, text)):
                masks[place] = run_lengths(self.inside(images[place], boxes))
        return masks

    def inside(self, picture, boxes):
        if boxes and self.segmenter is not None:
            return self.outlines(picture, boxes)
        inside = self.torch.zeros((picture.height, picture.width), dtype=self.torch.bool)
        for left, top, right, bottom in boxes:
            inside[max(0, int(top)) : max(0, ceil(bottom)), max(0, int(left)) : max(0, ceil(right))] = True
        return inside

    def boxes(self, pictures, text) -> "list[list[list[float]]]":
        # GroundingDINO was trained on phrases in small letters, each with a full stop.
        phrases = [f"{text.lower()}."] * len(pictures)
        inputs = self.read(images=pictures, text=phrases, return_tensors="pt").to(self.where)
        sizes = [(picture.height, picture.width) for picture in pictures]
        how = {"threshold": THRESHOLD, "text_threshold": THRESHOLD, "target_sizes": sizes}
        found = self.detector(**inputs)
        picked = self.read.post_process_grounded_object_detection(found, inputs["input_ids"], **how)
        return [one["boxes"].tolist() for one in picked]

    def outlines(self, picture, boxes):
        inputs = self.prompt(images=picture, input_boxes=[boxes], return_tensors="pt").to(self.where)
        # One guess a box: a box leaves no doubt about which thing is meant.
        found = self.segmenter(**inputs, multimask_output=False)
        [masks] = self.prompt.post_process_masks(found.pred_masks.cpu(), inputs["original_sizes"].cpu())
        return masks.reshape(-1, picture.height, picture.width).bool().any(dim=0)


def run_lengths(inside) -> "list[float]":
    """Height, width and run lengths column by column, first those outside."""
    height, width = inside.shape
    values, lengths = inside.T.reshape(-1).unique_consecutive(return_counts=True)
    none_outside = [0] if values[0] else []
    return [float(one) for one in (height, width, *none_outside, *lengths.tolist())]
