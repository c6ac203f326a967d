"""Any pipeline of diffusers that makes an image from a text."""

import inspect

from ..failure import Failure
from .backend import Network
from .generator import file_of

SHORT = {"steps": "num_inference_steps", "guidance": "guidance_scale"}
"""Names that settings may have, and the pipelines' own."""

OWN = ("prompt", "generator", "output_type", "return_dict", "num_images_per_prompt")
"""What each image is asked for by: no settings."""


class Diffusers(Network):
    """Settings: `input` (what the pipeline is called with: steps, guidance, width, height, negative_prompt, …), `scheduler`
    (a class of diffusers), `lora` (a repository or file, or several), `variant`, `offload` ("model", "sequential").

    Each image has its own random generator on the processor, so that a seed is the same image on every card, and is made
    alone unless `batch` is set: numbers that are computed together may round otherwise."""

    name = "diffusers"
    abilities = ("generate",)
    takes_revision = True
    packages = ("diffusers", "transformers", "torch")

    def open(self):
        import diffusers

        self.pipeline = diffusers.DiffusionPipeline.from_pretrained(
            self.model,
            torch_dtype=self.dtype or self.torch.float32,
            revision=self.revision,
            variant=self.settings.get("variant"),
        )
        self.choose_scheduler(diffusers)
        loras = self.settings.get("lora") or []
        for lora in [loras] if isinstance(loras, str) else loras:
            self.pipeline.load_lora_weights(lora)
        offload = self.settings.get("offload")
        getattr(self.pipeline, f"enable_{offload}_cpu_offload" if offload else "to")(device=self.where)
        self.pipeline.set_progress_bar_config(disable=True)
        self.input = self.checked_input()
        self.most = 1

    def choose_scheduler(self, diffusers) -> None:
        name = self.settings.get("scheduler")
        if name is None:
            return
        kind = getattr(diffusers, name, None)
        if not hasattr(kind, "from_config"):
            like = type(self.pipeline.scheduler).__name__
            raise Failure("load-failed", f"diffusers has no scheduler {name!r}", f"Such as {like}")
        self.pipeline.scheduler = kind.from_config(self.pipeline.scheduler.config)

    def checked_input(self) -> dict:
        given = {SHORT.get(name, name): value for name, value in self.settings.get("input", {}).items()}
        known = set(inspect.signature(self.pipeline.__call__).parameters) - set(OWN)
        unknown = sorted(set(given) - known)
        if unknown:
            kind = type(self.pipeline).__name__
            hint = f"It takes {', '.join(sorted(known))}"
            raise Failure("load-failed", f"{kind} takes no {', '.join(unknown)}", hint)
        return given

    def generate(self, prompts, seeds) -> list:
        given = dict(self.input)
        if isinstance(given.get("negative_prompt"), str):
            given["negative_prompt"] = [given["negative_prompt"]] * len(prompts)
        made = self.pipeline(
            prompt=list(prompts),
            generator=[self.torch.Generator("cpu").manual_seed(seed) for seed in seeds],
            **given,
        )
        flagged = getattr(made, "nsfw_content_detected", None) or [False] * len(prompts)
        blocked = Failure("refused", "The pipeline's safety checker blocked the image")
        return [blocked if unsafe else file_of(image) for image, unsafe in zip(made.images, flagged)]
