import types
import unittest

from touchstone_bridge.whole import cut_by_transforms, cut_to_middle, tokens_of, tokens_read


class CenterCrop:
    size = (224, 224)


class Resize:
    size = 224


class TestWhole(unittest.TestCase):
    def test_a_text_is_cut_where_it_is_longer_than_what_is_read(self):
        self.assertEqual(tokens_read(77, 120), {"tokens": {"read": 77, "of": 120}})
        self.assertEqual(tokens_read(77, 77), {})
        own = types.SimpleNamespace(encode=lambda text: text.split(), context_length=4)
        self.assertEqual(tokens_of(own, "a red cat"), {"tokens": {"read": 4, "of": 5}})
        inner = types.SimpleNamespace(
            tokenizer=lambda text: {"input_ids": text.split()}, context_length=4
        )
        self.assertEqual(tokens_of(inner, "a red cat"), {})

    def test_an_image_is_cut_at_the_ends_of_its_longer_side(self):
        self.assertEqual(cut_to_middle((400, 200), 224, (224, 224)), {"unseen": 0.5})
        self.assertEqual(cut_to_middle((200, 200), 224, (224, 224)), {})
        transforms = types.SimpleNamespace(transforms=[Resize(), CenterCrop()])
        self.assertEqual(cut_by_transforms((200, 400), transforms), {"unseen": 0.5})
        squashed = types.SimpleNamespace(transforms=[Resize()])
        self.assertEqual(cut_by_transforms((200, 400), squashed), {})
