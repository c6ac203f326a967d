"""The backends by name. What they wrap is imported when they load, not before."""

import pkgutil

from ..failure import Failure

BACKENDS = {
    "diffusers": "diffusers:Diffusers",
    "function": "function:Function",
    "generator": "generator:Generator",
    "grounded-sam": "grounded_sam:GroundedSam",
    "hpsv2": "clips:HpsV2",
    "image-reward": "judges:ImageReward",
    "open-clip": "clips:OpenClip",
    "pick-score": "clips:PickScore",
    "stub": "stub:Stub",
    "t2v-clip-score": "clips:ClipScore",
    "t2v-vqa-score": "judges:VqaScore",
}


def backend_named(name: str):
    if name not in BACKENDS:
        known = ", ".join(sorted(BACKENDS))
        raise Failure("bad-input", f"Expected one of {known} for --backend but received {name!r}")
    return pkgutil.resolve_name(f"{__name__}.{BACKENDS[name]}")
