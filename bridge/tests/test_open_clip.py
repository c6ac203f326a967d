"""open_clip runs for real, with a tiny network of random weights; skipped where it is not installed."""

import json
import os
import tempfile
import unittest

from tests.test_protocol import answers

TINY = {
    "embed_dim": 6,
    "vision_cfg": {"image_size": 16, "layers": 2, "width": 64, "patch_size": 8},
    "text_cfg": {"context_length": 16, "vocab_size": 49408, "width": 8, "heads": 2, "layers": 2},
}


class TestOpenClip(unittest.TestCase):
    def test_its_cosine_is_that_of_the_network(self):
        try:
            import open_clip
            import torch
            from tests.test_backends import RED, by_id
            from touchstone_bridge.backends.clips import OpenClip
            from touchstone_bridge.images import upright_rgb
        except ImportError as error:
            self.skipTest(f"open_clip is not installed: {error}")
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "tiny-clip.json"), "w") as file:
                json.dump(TINY, file)
            open_clip.add_model_config(folder)
            torch.manual_seed(0)
            made, _, prepared = open_clip.create_model_and_transforms("tiny-clip")
            weights = os.path.join(folder, "weights.pt")
            torch.save(made.state_dict(), weights)
            requests = [
                {"id": 1, "method": "load"},
                {"id": 2, "method": "embed-image", "items": [{"image": RED}]},
                {"id": 3, "method": "embed-text", "items": [{"text": "a red cat"}]},
            ]
            found = by_id(
                answers(OpenClip(model=f"tiny-clip+{weights}", device="cpu"), *requests)
            )
        facts, seen, read = (one.get("result") or one["results"][0]["value"] for one in map(found.get, (1, 2, 3)))
        made.eval()
        with torch.no_grad():
            pixels = prepared(upright_rgb(RED)).unsqueeze(0)
            image, text, scale = made(pixels, open_clip.get_tokenizer("tiny-clip")(["a red cat"]))[:3]
            expected = (image @ text.T).item()
        cosine = torch.nn.functional.cosine_similarity(
            torch.tensor(seen), torch.tensor(read), dim=0
        ).item()
        self.assertEqual(len(seen), 6)
        self.assertAlmostEqual(cosine, expected, places=5)
        self.assertNotAlmostEqual(cosine, 0, places=3)
        self.assertAlmostEqual(facts["logitScale"], scale.item(), places=4)

    def test_without_weights_it_does_not_load(self):
        try:
            import open_clip  # noqa: F401
            from touchstone_bridge.backends.clips import OpenClip
        except ImportError as error:
            self.skipTest(f"open_clip is not installed: {error}")
        found = answers(OpenClip(model="ViT-B-16", device="cpu"), {"id": 1, "method": "load"})[-1]
        self.assertEqual(found["error"]["kind"], "load-failed")


if __name__ == "__main__":
    unittest.main()
