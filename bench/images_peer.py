"""The expert's side of images.mjs, and its clock.

  images_peer.py noise FOLDER COUNT     makes noise of 512 x 512 as PNG
  images_peer.py weights FOLDER 0       makes open_clip's network with random weights
  images_peer.py timed COMMAND…         processor time of a command with all it starts, in seconds
  images_peer.py pool FOLDER COUNT      two processes read a pixel of each image
  images_peer.py loop FOLDER COUNT      a DataLoader of two workers, and the cosines of open_clip's embeddings
"""

import ctypes
import json
import math
import multiprocessing
import os
import resource
import subprocess
import sys

ARCHITECTURE = "ViT-B-32"
WEIGHTS = "weights.pt"


def files(folder, count):
    return [os.path.join(folder, f"{number:03}.png") for number in range(count)]


def one_noise(path):
    from PIL import Image

    Image.effect_noise((512, 512), 90).convert("RGB").save(path)


def noise(folder, count):
    with multiprocessing.Pool(2) as processes:
        processes.map(one_noise, files(folder, count))


def weights(folder, _):
    try:
        import open_clip
        import torch
    except ImportError as error:
        return {"skipped": str(error)}
    torch.manual_seed(0)
    network = open_clip.create_model(ARCHITECTURE)
    torch.nn.init.constant_(network.logit_scale, math.log(100))
    torch.save(network.state_dict(), os.path.join(folder, WEIGHTS))
    return {"version": open_clip.__version__}


def timed(*command):
    # What a command leaves behind as it ends becomes ours (PR_SET_CHILD_SUBREAPER), or its time would count nowhere.
    ctypes.CDLL(None).prctl(36, 1)
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        while True:
            os.wait()
    except ChildProcessError:
        pass
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"status": done.returncode, "stdout": done.stdout, "stderr": done.stderr, "seconds": used.ru_utime + used.ru_stime}


def first_pixel(path):
    from PIL import Image

    with Image.open(path) as image:
        return image.convert("RGB").getpixel((0, 0))[0] / 255


def pool(folder, count):
    with multiprocessing.Pool(2) as processes:
        return list(processes.imap(first_pixel, files(folder, count), 16))


class Images:
    """As a Dataset."""

    def __init__(self, paths, transforms):
        self.paths, self.transforms = paths, transforms

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, at):
        from PIL import Image

        with Image.open(self.paths[at]) as image:
            return self.transforms(image.convert("RGB"))


def loop(folder, count):
    import open_clip
    import torch

    torch.set_num_threads(1)
    made = open_clip.create_model_and_transforms(ARCHITECTURE, pretrained=os.path.join(folder, WEIGHTS))
    network, _, transforms = made
    network.eval()
    loader = torch.utils.data.DataLoader(Images(files(folder, count), transforms), 16, num_workers=2)
    cosines = []
    with torch.inference_mode():
        [text] = network.encode_text(open_clip.get_tokenizer(ARCHITECTURE)(["a cat"]), normalize=True)
        for images in loader:
            cosines += (network.encode_image(images, normalize=True) @ text).tolist()
    return cosines


if __name__ == "__main__":
    name, *words = sys.argv[1:]
    if name != "timed":
        words = [words[0], int(words[1])]
    print(json.dumps(globals()[name](*words)))
