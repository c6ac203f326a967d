"""Generators: functions of one's own, and diffusers with tiny pipelines of random weights, made here."""

import io
import os
import sys
import tempfile
import textwrap
import unittest

try:
    import numpy
    from PIL import Image
except ImportError as error:
    raise unittest.SkipTest(f"Generators need Pillow and numpy: {error}")

from tests.test_protocol import answers
from touchstone_bridge.backends.generator import Generator, card_of
from touchstone_bridge.failure import Failure

OWN = """
    import numpy
    from PIL import Image
    from touchstone_bridge import Refused

    ARRAYS = {
        "0 to 255": numpy.linspace(0, 255, 6).reshape(2, 3),
        "-1 to 1": numpy.linspace(-1, 1, 6).reshape(2, 3),
        "0 to 4660": numpy.array([[0, 0x1234]], "uint16"),
        "words": numpy.array([["a", "b"]]),
        "mask": numpy.array([[False, True]]),
        "near": numpy.array([[-0.001, 1.001]]),
    }

    class Tensor:
        def detach(self):
            return self
        def cpu(self):
            return self
        def is_floating_point(self):
            return False
        def __array__(self, *_, **__):
            return numpy.array([[3, 200]], "uint8")

    def generate(prompt, seed):
        if prompt == "bad":
            raise Refused("not this")
        if prompt == "none":
            return None
        if prompt == "array":
            return numpy.full((4, 6, 3), seed / 255)
        if prompt == "bytes":
            return b"file"
        if prompt in ARRAYS:
            return ARRAYS[prompt]
        if prompt == "tensor":
            return Tensor()
        if prompt == "number":
            return 3
        return Image.new("RGB", (6, 4), (seed, len(prompt), 0))

    class Made:
        calls = 0
        def __init__(self):
            Made.calls += 1
        def __call__(self, prompt, seed):
            return Image.new("L", (1, 1), Made.calls)

    def told(prompt, seed):
        return b"file"

    told.making = {"steps": 20}

    def by_seed_batch(prompts, seeds):
        return [numpy.random.default_rng(seed).random((4, 6, 3)) for seed in seeds]

    def by_seed(prompt, seed):
        raise NotImplementedError

    def together(prompt, seed):
        raise NotImplementedError

    def together_batch(prompts, seeds):
        return [None if prompt == "bad" else Image.new("L", (1, 1), len(prompts)) for prompt in prompts]
"""


def generated(backend, *prompts):
    request = {
        "id": 1,
        "method": "generate",
        "items": [{"text": prompt, "seed": seed} for seed, prompt in enumerate(prompts, 7)],
    }
    [found] = answers(backend, request)[1:]
    return found.get("results", found)


def pixels(result):
    return numpy.asarray(Image.open(io.BytesIO(result["value"]))).tolist()


class TestFunction(unittest.TestCase):
    def named(self, name, **options):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "gen.py")
        with open(path, "w") as file:
            file.write(textwrap.dedent(OWN))
        return Generator(model=f"{path}:{name}", **options)

    def test_images_arrays_and_bytes(self):
        found = generated(self.named("generate"), "a cat", "array", "bytes")
        self.assertEqual(pixels(found[0])[0][0], [7, 5, 0])
        self.assertEqual(pixels(found[1])[3][5], [8, 8, 8])
        self.assertEqual(found[2]["value"], b"file")

    def test_refusals_and_what_is_no_image(self):
        found = generated(self.named("generate"), "bad", "none", "number")
        self.assertEqual([one["error"]["kind"] for one in found], ["refused", "refused", "failed"])
        self.assertEqual(found[0]["error"]["message"], "not this")

    def test_numbers_out_of_the_promised_range_are_no_image(self):
        names = ["0 to 255", "-1 to 1", "0 to 4660"]
        found = generated(self.named("generate"), *names, "words")
        self.assertEqual([one["error"]["kind"] for one in found], ["failed"] * 4)
        for name, one in zip(names, found):
            self.assertTrue(one["error"]["message"].endswith(f"but the generator gave {name}"), one)

    def test_masks_rounding_and_tensors_of_whole_numbers(self):
        found = generated(self.named("generate"), "mask", "near", "tensor")
        self.assertEqual([pixels(one) for one in found], [[[0, 255]], [[0, 255]], [[3, 200]]])

    def test_a_card_among_the_visible_ones(self):
        self.assertEqual(card_of("cuda:1", None), "1")
        self.assertEqual(card_of("cuda:1", "2, 3"), "3")
        with self.assertRaises(Failure):
            card_of("cuda:2", "2,3")

    def test_a_class_is_made_once(self):
        found = generated(self.named("Made"), "a", "b", "c")
        self.assertEqual([pixels(one) for one in found], [[[1]]] * 3)

    def test_batches_where_the_module_has_them(self):
        found = generated(self.named("together", batch=2), "a", "b", "bad")
        self.assertEqual([pixels(one) for one in found[:2]], [[[2]]] * 2)
        self.assertEqual(found[2]["error"]["kind"], "refused")

    def test_a_seed_is_an_image_alone_and_in_a_batch(self):
        for name in ("generate", "by_seed"):
            with self.subTest(name):
                together = generated(self.named(name, batch=3), "cat", "dog", "bird")
                self.assertEqual(together, generated(self.named(name), "cat", "dog", "bird"))
                self.assertEqual(together[0], generated(self.named(name), "cat")[0])

    def test_what_it_says_of_its_making(self):
        [found] = answers(self.named("told"), {"id": 1, "method": "load"})[1:]
        self.assertEqual(found["result"]["metric"], {"making": {"steps": 20}})

    def test_a_name_that_is_none(self):
        [found] = answers(self.named("gnerate"), {"id": 1, "method": "load"})[1:]
        self.assertEqual(found["error"]["kind"], "load-failed")


def tokenizer(folder):
    """Letters as CLIP has them."""
    import json

    import transformers

    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    words = letters + [f"{letter}</w>" for letter in letters] + ["<|startoftext|>", "<|endoftext|>"]
    vocabulary, merges = os.path.join(folder, "vocab.json"), os.path.join(folder, "merges.txt")
    with open(vocabulary, "w") as file:
        json.dump({word: place for place, word in enumerate(words)}, file)
    with open(merges, "w") as file:
        file.write("#version: 0.2\n")
    return transformers.CLIPTokenizer(vocabulary, merges, model_max_length=16), len(words)


def text_encoder(size):
    import transformers

    return transformers.CLIPTextModel(
        transformers.CLIPTextConfig(
            vocab_size=size, hidden_size=32, intermediate_size=16, num_hidden_layers=1, num_attention_heads=2,
            max_position_embeddings=16, projection_dim=32, bos_token_id=size - 2, eos_token_id=size - 1,
        )
    )


def tiny_vae(channels):
    from diffusers import AutoencoderKL

    return AutoencoderKL(
        block_out_channels=(8,), norm_num_groups=4, latent_channels=channels, shift_factor=0.1,
        down_block_types=("DownEncoderBlock2D",), up_block_types=("UpDecoderBlock2D",),
    )


def unet_pipeline(folder):
    from diffusers import DDIMScheduler, StableDiffusionPipeline, UNet2DConditionModel

    letters, size = tokenizer(folder)
    unet = UNet2DConditionModel(
        sample_size=8, block_out_channels=(8, 16), layers_per_block=1, norm_num_groups=4, cross_attention_dim=32,
        attention_head_dim=4, down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
    )
    return StableDiffusionPipeline(
        vae=tiny_vae(4), text_encoder=text_encoder(size), tokenizer=letters, unet=unet, scheduler=DDIMScheduler(),
        safety_checker=None, feature_extractor=None, requires_safety_checker=False,
    )


def transformer_pipeline(folder):
    import transformers
    from diffusers import FlowMatchEulerDiscreteScheduler, SD3Transformer2DModel, StableDiffusion3Pipeline

    letters, size = tokenizer(folder)
    config = dict(
        vocab_size=size, hidden_size=32, intermediate_size=16, num_hidden_layers=2, num_attention_heads=2,
        max_position_embeddings=16, projection_dim=32, bos_token_id=size - 2, eos_token_id=size - 1,
    )
    encoders = [
        transformers.CLIPTextModelWithProjection(transformers.CLIPTextConfig(**config)) for _ in range(2)
    ]
    t5 = transformers.T5EncoderModel(
        transformers.T5Config(vocab_size=size, d_model=32, d_kv=8, d_ff=16, num_layers=1, num_heads=2)
    )
    transformer = SD3Transformer2DModel(
        sample_size=8, patch_size=1, in_channels=4, num_layers=1, attention_head_dim=8, num_attention_heads=4,
        joint_attention_dim=32, caption_projection_dim=32, pooled_projection_dim=64, out_channels=4,
    )
    return StableDiffusion3Pipeline(
        transformer=transformer, scheduler=FlowMatchEulerDiscreteScheduler(), vae=tiny_vae(4),
        text_encoder=encoders[0], tokenizer=letters, text_encoder_2=encoders[1], tokenizer_2=letters,
        text_encoder_3=t5, tokenizer_3=letters,
    )


class TestDiffusers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            import diffusers  # noqa: F401
            import torch
            import transformers  # noqa: F401
        except ImportError as error:
            raise unittest.SkipTest(f"Pipelines need diffusers, torch and transformers: {error}")
        cls.folders = tempfile.TemporaryDirectory()
        for name, make in (("unet", unet_pipeline), ("transformer", transformer_pipeline)):
            folder = os.path.join(cls.folders.name, name)
            os.mkdir(folder)
            torch.manual_seed(0)
            make(folder).save_pretrained(folder)

    @classmethod
    def tearDownClass(cls):
        cls.folders.cleanup()

    def pipeline(self, name, **options):
        from touchstone_bridge.backends.diffusers import Diffusers

        settings = {"input": {"steps": 2, "guidance": 3.0, "width": 16, "height": 16}}
        settings.update(options.pop("settings", {}))
        folder = os.path.join(self.folders.name, name)
        return Diffusers(model=folder, device="cpu", settings=settings, **options)

    def test_a_seed_is_an_image_alone_and_in_a_batch(self):
        for name in ("unet", "transformer"):
            with self.subTest(name):
                first = generated(self.pipeline(name), "cat", "dog", "cat")
                self.assertEqual(generated(self.pipeline(name), "cat", "dog", "cat"), first)
                self.assertEqual(generated(self.pipeline(name), "cat")[0], first[0])
                self.assertEqual(Image.open(io.BytesIO(first[0]["value"])).size, (16, 16))
                self.assertNotEqual(first[0], first[2])

    def test_several_at_once_are_the_same_but_for_rounding(self):
        for name in ("unet", "transformer"):
            with self.subTest(name):
                alone = generated(self.pipeline(name), "cat", "dog", "cat")
                together = generated(self.pipeline(name, batch=3), "cat", "dog", "cat")
                for one, other in zip(alone, together):
                    self.assertLessEqual(abs(numpy.subtract(pixels(one), pixels(other))).max(), 2)

    def test_settings_change_the_image_and_wrong_ones_are_named(self):
        [usual] = generated(self.pipeline("unet"), "cat")
        [other] = generated(self.pipeline("unet", settings={"scheduler": "EulerDiscreteScheduler"}), "cat")
        self.assertNotEqual(usual, other)
        for settings in ({"input": {"stps": 2}}, {"input": {"output_type": "latent"}}, {"scheduler": "Eular"}, {"offload": "all"}):
            found = generated(self.pipeline("unet", settings=settings), "cat")
            self.assertEqual(found["error"]["kind"], "load-failed")

    def test_a_blocked_image_is_refused(self):
        backend = self.pipeline("unet")
        load = backend.load

        def blocking():
            facts = load()
            backend.pipeline.run_safety_checker = lambda images, *_: (images, [True, False])
            return facts

        backend.load = blocking
        backend.batch = 2
        found = generated(backend, "cat", "dog")
        self.assertEqual(found[0]["error"]["kind"], "refused")
        self.assertIn("value", found[1])


if __name__ == "__main__":
    unittest.main()
