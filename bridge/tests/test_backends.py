"""The backends against the published packages where they are installed, else against doubles that
have their published signatures. PickScore runs for real, with a tiny network of random weights."""

import contextlib
import io
import json
import os
import sys
import tempfile
import types
import unittest
from unittest import mock

try:
    import torch
    from PIL import Image
except ImportError as error:
    raise unittest.SkipTest(f"The backends need torch and Pillow: {error}")

from touchstone_bridge.backends.clips import ClipScore, HpsV2, PickScore
from touchstone_bridge.backends.judges import ImageReward, VqaScore
from touchstone_bridge.failure import Failure
from touchstone_bridge.images import upright_rgb
from tests.test_protocol import answers, image


def png(colour, size=(8, 6), mode="RGB", **options):
    file = io.BytesIO()
    Image.new(mode, size, colour).save(file, "PNG", **options)
    return image(file.getvalue())


RED = png((255, 0, 0))


def by_id(found):
    return {one.get("id"): one for one in found}


def module(name, **members):
    made = types.ModuleType(name)
    made.__dict__.update(members)
    return made


class TestImages(unittest.TestCase):
    def test_what_is_transparent_is_white(self):
        self.assertEqual(upright_rgb(png((255, 0, 0, 0), mode="RGBA")).getpixel((0, 0)), (255,) * 3)
        self.assertEqual(upright_rgb(png((200, 100), mode="LA")).mode, "RGB")

    def test_they_are_turned_as_their_tag_says(self):
        exif = Image.Exif()
        exif[0x0112] = 6
        self.assertEqual(upright_rgb(png((1, 2, 3), size=(8, 6), exif=exif)).size, (6, 8))

    def test_one_that_is_upright_and_rgb_is_handed_over_decoded(self):
        made = upright_rgb(png((1, 2, 3), size=(8, 6)))
        self.assertEqual((made.mode, made.size, made.getpixel((7, 5))), ("RGB", (8, 6), (1, 2, 3)))

    def test_what_is_no_image(self):
        cut = io.BytesIO()
        Image.effect_noise((64, 64), 90).convert("RGB").save(cut, "PNG")
        for bad in (image(b""), image(b"text"), image(cut.getvalue()[:4000]), {}, None):
            with self.assertRaises(Failure) as caught:
                upright_rgb(bad)
            self.assertEqual(caught.exception.kind, "bad-input")


class TestImageReward(unittest.TestCase):
    """The parts that the package's score(prompt, path) calls for (reward - mean) / std, with several images."""

    def test_the_reward_before_it_is_normalised(self):
        class Read(dict):
            input_ids = property(lambda self: self["input_ids"])
            attention_mask = property(lambda self: self["attention_mask"])

            def to(self, device):
                return self

        def tokenizer(texts, padding, truncation, max_length, return_tensors):
            assert (padding, truncation, max_length, return_tensors) == ("max_length", True, 35, "pt")
            lengths = torch.tensor([[len(text)] * 35 for text in texts])
            return Read(input_ids=lengths, attention_mask=torch.ones_like(lengths))

        def text_encoder(input_ids, attention_mask, encoder_hidden_states, encoder_attention_mask, return_dict):
            assert encoder_attention_mask.shape == encoder_hidden_states.shape[:-1]
            first = encoder_hidden_states[:, :1, :] + input_ids[:, :1, None]
            return types.SimpleNamespace(last_hidden_state=first)

        network = types.SimpleNamespace(
            preprocess=lambda picture: torch.tensor(picture.getpixel((0, 0)), dtype=torch.float32),
            blip=types.SimpleNamespace(
                tokenizer=tokenizer,
                visual_encoder=lambda pixels: pixels[:, None, :].repeat(1, 2, 1),
                text_encoder=text_encoder,
            ),
            mlp=lambda features: features.sum(dim=1, keepdim=True),
        )
        loads = []
        double = module(
            "ImageReward",
            load=lambda name, device: loads.append((name, device)) or network,
        )
        items = [{"image": RED, "text": "a cat"}, {"image": RED, "text": "a"}]
        with mock.patch.dict(sys.modules, {"ImageReward": double}):
            found = answers(
                ImageReward(device="cpu", workers=0), {"id": 1, "method": "reward", "items": items}
            )
        self.assertEqual(found[1]["results"], [{"value": 270.0}, {"value": 258.0}])
        self.assertEqual(loads, [("ImageReward-v1.0", "cpu")])


class TestT2v(unittest.TestCase):
    def test_the_whole_question_is_asked(self):
        asked = []

        class Scorer:
            def __init__(self, model, device):
                asked.append((model, device))
                self.model = self

            def forward(self, images, texts, **kwargs):
                asked.append((len(images), texts, kwargs))
                assert all(os.path.exists(path) for path in images)
                return torch.tensor([0.75] * len(images))

        double = module("t2v_metrics", VQAScore=Scorer)
        items = [{"image": RED, "text": "Is {this} red?"}, {"image": RED, "text": "Is it?"}]
        with mock.patch.dict(sys.modules, {"t2v_metrics": double}):
            found = answers(
                VqaScore(model="clip-flant5-xl", device="cpu", batch=2, workers=0),
                {"id": 1, "method": "probability-of-yes", "items": items},
            )
        self.assertEqual(found[1]["results"], [{"value": 0.75}] * 2)
        wording = {"question_template": "{}", "answer_template": "Yes"}
        self.assertEqual(
            asked, [("clip-flant5-xl", "cpu"), (2, ["Is {this} red?", "Is it?"], wording)]
        )

    def test_the_embeddings_of_its_clip(self):
        clip = types.SimpleNamespace(
            preprocess=lambda picture: torch.tensor([1.0, 2.0]),
            tokenizer=lambda texts: torch.tensor([[len(text)] for text in texts]),
            model=types.SimpleNamespace(
                encode_image=lambda pixels: pixels * 3,
                encode_text=lambda tokens: tokens * 1.0,
            ),
        )
        double = module(
            "t2v_metrics", CLIPScore=lambda model, device: types.SimpleNamespace(model=clip)
        )
        requests = [
            {"id": 1, "method": "embed-image", "items": [{"image": RED}]},
            {"id": 2, "method": "embed-text", "items": [{"text": "abcd"}]},
        ]
        with mock.patch.dict(sys.modules, {"t2v_metrics": double}):
            found = by_id(answers(ClipScore(device="cpu", workers=0), *requests))
        self.assertEqual(found[1]["results"], [{"value": [3.0, 6.0]}])
        self.assertEqual(found[2]["results"], [{"value": [4.0]}])


class TestHpsV2(unittest.TestCase):
    """The functions that the package's own score calls, the checkpoint read once."""

    @contextlib.contextmanager
    def double(self):
        class Network(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = torch.nn.Parameter(torch.ones(1))

            def encode_image(self, pixels, normalize=False):
                assert normalize
                return pixels.mean(dim=(2, 3)) * self.scale

            def encode_text(self, tokens, normalize=False):
                assert normalize
                return tokens * self.scale

        with tempfile.TemporaryDirectory() as folder:
            checkpoint = os.path.join(folder, "HPS_v2.1_compressed.pt")
            torch.save({"state_dict": {"scale": torch.tensor([2.0])}}, checkpoint)
            downloads = []

            def hf_hub_download(repository, name):
                downloads.append((repository, name))
                return checkpoint

            img_score = module("hpsv2.img_score", model_dict={}, device=None)

            def initialize_model():
                img_score.model_dict["model"] = Network()
                img_score.model_dict["preprocess_val"] = lambda picture: torch.tensor(
                    picture.getpixel((0, 0)), dtype=torch.float32
                ).reshape(3, 1, 1)

            img_score.initialize_model = initialize_model
            doubles = {
                "huggingface_hub": module("huggingface_hub", hf_hub_download=hf_hub_download),
                "hpsv2": module("hpsv2", img_score=img_score),
                "hpsv2.img_score": img_score,
                "hpsv2.src": module("hpsv2.src"),
                "hpsv2.src.open_clip": module(
                    "hpsv2.src.open_clip",
                    get_tokenizer=lambda name: lambda texts: torch.tensor(
                        [[len(text), 1] for text in texts]
                    ),
                ),
                "hpsv2.utils": module(
                    "hpsv2.utils",
                    hps_version_map={
                        "v2.0": "HPS_v2_compressed.pt", "v2.1": "HPS_v2.1_compressed.pt"
                    },
                ),
            }
            with mock.patch.dict(sys.modules, doubles):
                yield downloads

    def test_its_weights_are_loaded_once_and_embed(self):
        requests = [
            {"id": 1, "method": "embed-image", "items": [{"image": RED}, {"image": RED}]},
            {"id": 2, "method": "embed-text", "items": [{"text": "abc"}]},
        ]
        with self.double() as downloads:
            found = by_id(answers(HpsV2(device="cpu", workers=0), *requests))
        self.assertEqual(found[1]["results"], [{"value": [510.0, 0.0, 0.0]}] * 2)
        self.assertEqual(found[2]["results"], [{"value": [6.0, 2.0]}])
        self.assertEqual(downloads, [("xswu/HPSv2", "HPS_v2.1_compressed.pt")])

    def test_a_wheel_without_its_vocabulary_is_told_what_to_copy(self):
        with tempfile.TemporaryDirectory() as folder:
            code = os.path.join(folder, "hpsv2", "src", "open_clip")
            os.makedirs(code)
            with open(os.path.join(folder, "hpsv2", "__init__.py"), "w") as file:
                file.write("open(__path__[0] + '/src/open_clip/bpe.txt.gz')\n")
            hub = {"huggingface_hub": module("huggingface_hub", hf_hub_download=None)}
            with mock.patch.dict(sys.modules, hub), mock.patch.object(sys, "path", [folder, *sys.path]):
                [found] = answers(HpsV2(device="cpu", workers=0), {"id": 1, "method": "load"})[1:]
        self.assertEqual(found["error"]["kind"], "load-failed")
        self.assertEqual(found["error"]["message"], "The installed hpsv2 lacks bpe.txt.gz")
        self.assertIn(f"to {code}", found["error"]["hint"])

    def test_a_version_that_is_none(self):
        with self.double():
            [found] = answers(HpsV2(revision="v3", device="cpu", workers=0), {"id": 1, "method": "load"})[1:]
        self.assertEqual(found["error"]["kind"], "load-failed")
        self.assertIn("v2.0, v2.1", found["error"]["message"])


def tiny_clip(folder):
    """A CLIP of transformers with random weights and a vocabulary of letters, saved as real ones."""
    import transformers

    torch.manual_seed(0)
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    words = letters + [f"{letter}</w>" for letter in letters]
    words += ["<|startoftext|>", "<|endoftext|>"]
    with open(os.path.join(folder, "vocab.json"), "w") as file:
        json.dump({word: place for place, word in enumerate(words)}, file)
    with open(os.path.join(folder, "merges.txt"), "w") as file:
        file.write("#version: 0.2\n")
    tokenizer = transformers.CLIPTokenizer(
        os.path.join(folder, "vocab.json"), os.path.join(folder, "merges.txt"), model_max_length=16
    )
    images = transformers.CLIPImageProcessor(
        size={"shortest_edge": 16}, crop_size={"height": 16, "width": 16}
    )
    transformers.CLIPProcessor(images, tokenizer).save_pretrained(folder)
    small = {
        "hidden_size": 8, "intermediate_size": 16, "num_attention_heads": 2, "num_hidden_layers": 2,
    }
    ends = {"bos_token_id": len(words) - 2, "eos_token_id": len(words) - 1}
    config = transformers.CLIPConfig(
        text_config={
            **small, **ends, "vocab_size": len(words), "max_position_embeddings": 16,
        },
        vision_config={**small, "image_size": 16, "patch_size": 8},
        projection_dim=5,
    )
    transformers.CLIPModel(config).save_pretrained(folder)


class TestPickScore(unittest.TestCase):
    def test_its_cosine_is_that_of_the_published_code(self):
        try:
            from transformers import AutoModel, AutoProcessor
        except ImportError as error:
            self.skipTest(f"transformers is not installed: {error}")
        with tempfile.TemporaryDirectory() as folder:
            tiny_clip(folder)
            requests = [
                {"id": 1, "method": "load"},
                {"id": 2, "method": "embed-image", "items": [{"image": RED}]},
                {"id": 3, "method": "embed-text", "items": [{"text": "red cat" * 9}]},
            ]
            found = by_id(answers(PickScore(model=folder, device="cpu", workers=0), *requests))
            network = AutoModel.from_pretrained(folder).eval()
            processor = AutoProcessor.from_pretrained(folder)
        facts, seen, read = (one.get("result") or one["results"][0]["value"] for one in map(found.get, (1, 2, 3)))
        # What the authors' example computes for one image and one prompt.
        inputs = processor(
            text=["red cat" * 9], images=[upright_rgb(RED)], padding=True, truncation=True,
            max_length=16, return_tensors="pt",
        )
        with torch.no_grad():
            expected = network(**inputs).logits_per_image.item()
        seen, read = torch.tensor(seen), torch.tensor(read)
        cosine = torch.nn.functional.cosine_similarity(seen, read, dim=0).item()
        self.assertEqual(len(seen), 5)
        self.assertAlmostEqual(cosine * facts["logitScale"], expected, places=5)
        self.assertNotAlmostEqual(cosine, 0, places=3)
        self.assertEqual(facts["device"], "cpu")
        self.assertRegex(facts["packages"]["transformers"], r"^\d")


if __name__ == "__main__":
    unittest.main()
