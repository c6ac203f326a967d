"""Hours and memory, from counts alone, before anything is loaded.

Memory: parameters in bf16; LoRA's in 32 bits with gradient and two moments of Adam; what is kept for the
backward pass with checkpointing, one vector a token and layer and one layer whole; logits in 32 bits, of
the answer alone and three times over (policy, old policy, start); the cache of keys and values while
answers are drawn. Time: 2 operations a parameter and token forward; a step draws (1 forward), asks the
start and the old policy (2 forward) and learns (1 forward, 1 again for checkpointing, 2 backward), at
`share` of the GPU's 989 Tera operations a second (H100, bf16 dense).
"""

SIZES = {
    # parameters, layers, width, widest layer, key and value width, vocabulary
    "Qwen/Qwen2.5-VL-7B-Instruct": (8.29e9, 28, 3584, 18944, 512, 152064),
    "Qwen/Qwen2.5-VL-3B-Instruct": (3.75e9, 36, 2048, 11008, 256, 151936),
}
GIB = 2**30


def estimate(config, pairs, share=0.3, peak=989e12):
    if config["model"] not in SIZES:
        return None
    parameters, layers, width, widest, cache, words = SIZES[config["model"]]
    tokens = config["maxPixels"] // (28 * 28) + 220
    at_once = config["imagesAtOnce"] * config["samples"]
    images = 2 * config["pairsPerStep"]
    lora = config["lora"]["rank"] * layers * (2 * (width + width) + 2 * (width + cache))
    memory = {
        "weights": parameters * 2,
        "LoRA and Adam": lora * 16,
        "kept for the backward pass": at_once * tokens * 2 * (layers * width + 4 * width + 3 * widest),
        "logits": at_once * 3 * 4 * words * 3,
        "keys and values": images * config["samples"] * tokens * layers * cache * 2 * 2,
    }
    steps = int(pairs * config["epochs"] // config["pairsPerStep"])
    operations = 7 * 2 * parameters * tokens * images * config["samples"]
    return {
        "steps": steps, "tokensOfAnImage": tokens, "trained": lora,
        "gib": {name: value / GIB for name, value in memory.items()},
        "gibInAll": sum(memory.values()) / GIB * 1.15,
        "hours": steps * operations / (peak * share) / 3600,
    }


def text_of(found, pairs):
    if found is None:
        return "No estimate: the model's sizes are unknown here (see estimate.py)."
    lines = [f"{pairs:,} pairs, {found['steps']:,} steps, {found['tokensOfAnImage']} tokens an image, {found['trained'] / 1e6:.1f} M trained parameters"]
    lines += [f"  {value:6.1f} GiB  {name}" for name, value in found["gib"].items()]
    lines += [
        f"  {found['gibInAll']:6.1f} GiB  in all, 15 % added",
        f"  {found['hours']:6.1f} h on one H100 at 30 % of its peak; twice that at 15 %",
        "Estimated from counts (estimate.py says how), never measured.",
    ]
    return "\n".join(lines)
