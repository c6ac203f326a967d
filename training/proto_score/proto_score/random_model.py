"""Models with random weights, of Qwen2.5-VL's architecture in a shape of shapes.yaml, with a tokenizer of their own: no
download. The tokenizer knows the words of the question, so that texts have about as many tokens as a real one makes
of them. The last layer leans towards digits, so that a model answers in some."""

from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    PreTrainedTokenizerFast,
    Qwen2_5_VLConfig,
    Qwen2_5_VLForConditionalGeneration,
    Qwen2_5_VLProcessor,
    Qwen2VLImageProcessor,
    Qwen2VLVideoProcessor,
)

from proto_score.settings import messages, read

SHAPES = read(Path(__file__).with_name("shapes.yaml"))
SPECIAL = [
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>",
    "<|video_pad|>",
]
CHAT = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{% for part in message.content %}"
    "{{ '<|vision_start|><|image_pad|><|vision_end|>' if part.type == 'image' else part.text }}"
    "{% endfor %}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def random_processor():
    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    said = [part["text"] for each in messages("A penguin is on a beach.") for part in each["content"] if "text" in part]
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    words.train_from_iterator(said * 2, trainers.BpeTrainer(vocab_size=800, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False))
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token="<|im_end|>", pad_token="<|endoftext|>", chat_template=CHAT,
        extra_special_tokens={"image_token": "<|image_pad|>", "video_token": "<|video_pad|>", "vision_bos_token": "<|vision_start|>", "vision_eos_token": "<|vision_end|>"},
    )
    return Qwen2_5_VLProcessor(
        image_processor=Qwen2VLImageProcessor(size={"shortest_edge": 56 * 56, "longest_edge": 12845056}),
        tokenizer=tokenizer, video_processor=Qwen2VLVideoProcessor(), chat_template=CHAT,
    )


def random_model(shape, processor, seed=0):
    """On the default device, in the default precision."""
    torch.manual_seed(seed)
    sizes, id_of = SHAPES[shape], processor.tokenizer.convert_tokens_to_ids
    config = Qwen2_5_VLConfig(
        text_config=sizes["text"] | {
            "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": sizes["rope"]},
            "bos_token_id": id_of("<|endoftext|>"), "eos_token_id": id_of("<|im_end|>"), "pad_token_id": id_of("<|endoftext|>"),
        },
        vision_config=sizes["vision"],
        image_token_id=id_of("<|image_pad|>"), video_token_id=id_of("<|video_pad|>"),
        vision_start_token_id=id_of("<|vision_start|>"), vision_end_token_id=id_of("<|vision_end|>"),
        tie_word_embeddings=False,
    )
    model = Qwen2_5_VLForConditionalGeneration(config)
    with torch.no_grad():
        # The norm's bias-free output is spread around nothing: a common direction lifts the digits.
        lean = torch.randn(sizes["text"]["hidden_size"])
        for layer in model.model.language_model.layers:
            layer.mlp.down_proj.weight.mul_(0.5)
        model.lm_head.weight.mul_(0.2)
        model.model.language_model.embed_tokens.weight.mul_(0.2).add_(lean * 0.5)
        model.lm_head.weight[id_of(list("0123456789"))] += lean * 0.25
    return model
