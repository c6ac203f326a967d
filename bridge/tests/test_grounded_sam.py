"""Grounded-SAM's code for real, with a GroundingDINO and a SAM 2 of random weights and few of them."""

import json
import os
import tempfile
import unittest

try:
    import torch
    import torchvision  # noqa: F401
    import transformers
    from transformers import Sam2Model
except ImportError as error:
    raise unittest.SkipTest(f"Grounded-SAM needs torch, torchvision, transformers 4.56: {error}")

from touchstone_bridge.backends import grounded_sam
from touchstone_bridge.backends.grounded_sam import GroundedSam, run_lengths
from touchstone_bridge.failure import Failure
from tests.test_backends import png

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "skirt", "red", "hat"]


def save_detector(folder):
    torch.manual_seed(0)
    vocabulary = os.path.join(folder, "vocab.txt")
    with open(vocabulary, "w") as file:
        file.write("\n".join(WORDS))
    tokenizer = transformers.BertTokenizerFast(vocab_file=vocabulary)
    text = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
    )
    backbone = transformers.SwinConfig(
        image_size=64,
        embed_dim=8,
        depths=[1, 1, 1, 1],
        num_heads=[1, 1, 2, 2],
        window_size=4,
        out_features=["stage2", "stage3", "stage4"],
    )
    config = transformers.GroundingDinoConfig(
        backbone_config=backbone,
        text_config=text,
        d_model=32,
        encoder_layers=1,
        encoder_ffn_dim=16,
        encoder_attention_heads=2,
        # transformers 5 ties the boxes of the others to those of the first.
        decoder_layers=2,
        decoder_ffn_dim=16,
        decoder_attention_heads=2,
        num_queries=5,
        num_feature_levels=4,
    )
    transformers.GroundingDinoForObjectDetection(config).save_pretrained(folder)
    size = {"shortest_edge": 64, "longest_edge": 96}
    images = transformers.GroundingDinoImageProcessor(size=size)
    transformers.GroundingDinoProcessor(images, tokenizer).save_pretrained(folder)


def save_segmenter(folder):
    torch.manual_seed(1)
    backbone = transformers.Sam2HieraDetConfig(
        hidden_size=8,
        num_attention_heads=1,
        image_size=[64, 64],
        blocks_per_stage=[1, 1, 1, 1],
        embed_dim_per_stage=[8, 16, 32, 64],
        num_attention_heads_per_stage=[1, 2, 4, 8],
        window_size_per_stage=[4, 4, 4, 4],
        global_attention_blocks=[],
        window_positional_embedding_background_size=[4, 4],
    )
    vision = transformers.Sam2VisionConfig(
        backbone_config=backbone,
        backbone_channel_list=[64, 32, 16, 8],
        backbone_feature_sizes=[[16, 16], [8, 8], [4, 4]],
        fpn_hidden_size=16,
    )
    config = transformers.Sam2Config(
        vision_config=vision,
        prompt_encoder_config=transformers.Sam2PromptEncoderConfig(
            hidden_size=16, image_size=64, patch_size=16, mask_input_channels=4
        ),
        mask_decoder_config=transformers.Sam2MaskDecoderConfig(
            hidden_size=16,
            mlp_dim=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            iou_head_hidden_dim=16,
        ),
    )
    Sam2Model(config).save_pretrained(folder)
    images = transformers.Sam2ImageProcessorFast(
        size={"height": 64, "width": 64}, mask_size={"height": 16, "width": 16}
    )
    transformers.Sam2Processor(images, target_size=64).save_pretrained(folder)


def found(backend, image, text):
    return backend.alone("localize", {"image": image, "text": text})


class TestGroundedSam(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.detector = os.path.join(cls.folder.name, "detector")
        cls.segmenter = os.path.join(cls.folder.name, "segmenter")
        for path, save in ((cls.detector, save_detector), (cls.segmenter, save_segmenter)):
            os.mkdir(path)
            save(path)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def loaded(self, segmenter):
        backend = GroundedSam(model=f"{self.detector}+{segmenter}", device="cpu")
        facts = backend.load()
        self.assertEqual(facts["device"], "cpu")
        return backend

    def with_threshold(self, value):
        before = grounded_sam.THRESHOLD
        grounded_sam.THRESHOLD = value
        self.addCleanup(setattr, grounded_sam, "THRESHOLD", before)

    def check(self, numbers, height, width):
        self.assertEqual(numbers[:2], [height, width])
        self.assertEqual(sum(numbers[2:]), height * width)
        json.dumps(numbers)

    def test_boxes_become_the_segmenters_outlines(self):
        # Random weights are sure of nothing, so every box counts.
        self.with_threshold(0.0)
        backend = self.loaded(self.segmenter)
        image = png((200, 30, 30), size=(48, 32))
        first = found(backend, image, "skirt")
        self.check(first, 32, 48)
        self.assertEqual(found(backend, image, "skirt"), first)

    def test_boxes_alone_are_a_mask(self):
        self.with_threshold(0.0)
        backend = self.loaded("boxes")
        numbers = found(backend, png((0, 0, 0), size=(48, 32)), "red skirt")
        self.check(numbers, 32, 48)
        self.assertGreater(sum(numbers[3::2]), 0)

    def test_nothing_found_is_an_empty_mask(self):
        self.with_threshold(1.1)
        numbers = found(self.loaded("boxes"), png((0, 0, 0), size=(5, 4)), "hat")
        self.assertEqual(numbers, [4.0, 5.0, 20.0])

    def test_a_model_without_a_segmenter_is_refused(self):
        with self.assertRaises(Failure):
            GroundedSam(model="one").load()

    def test_run_lengths_go_down_the_columns(self):
        mask = torch.tensor([[0, 1], [1, 1]], dtype=torch.bool)
        self.assertEqual(run_lengths(mask), [2.0, 2.0, 1.0, 3.0])
        self.assertEqual(run_lengths(~mask), [2.0, 2.0, 0.0, 1.0, 3.0])


if __name__ == "__main__":
    unittest.main()
