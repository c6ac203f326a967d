"""Images a second of one GPU, or of processors where there is none: the bridge by its protocol beside an expert's loop and
the network alone, with images and random weights made on the spot. Prints as it goes. See gpu.sh."""

import argparse
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

begun = time.monotonic()
EXPERT = "expert's loop"
FIRST = 8


def say(text):
    print(f"{time.monotonic() - begun:5.0f} s  {text}", flush=True)


def noise(side, path):
    from PIL import Image

    Image.effect_noise((side, side), 90).convert("RGB").save(path)


class Files:
    """As a Dataset: each file again and again."""

    def __init__(self, files, transforms):
        self.files, self.transforms = files, transforms

    def __len__(self):
        return 10**7

    def __getitem__(self, at):
        from PIL import Image

        with Image.open(self.files[at % len(self.files)]) as image:
            return self.transforms(image.convert("RGB"))


def timed(batches, seconds, wait, name):
    """Images a second of `batches`, which yields how many are done; the first batch warms up."""
    count, since = 0, None
    told = time.monotonic()
    for done in batches:
        if since is None:
            wait()
            since = told = time.monotonic()
            continue
        count += done
        now = time.monotonic()
        if now - told > 5:
            say(f"{name}: {count / (now - since):,.1f} images a second so far")
            told = now
        if now - since > seconds:
            break
    if not count:
        raise SystemExit(f"Expected more than one batch of {name} but it ended")
    wait()
    rate = count / (time.monotonic() - since)
    say(f"{name}: {rate:,.1f} images a second")
    return rate


def bridge(model, device, precision, files, at_once, seen):
    """Yields how many images each answer of the bridge is about; the first answer's embeddings go into `seen`."""
    words = ["--backend", "open-clip", "--model", model, "--device", device, "--precision", precision]
    process = subprocess.Popen([sys.executable, "-m", "touchstone_bridge", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    places = threading.Semaphore(16 if device == "cuda" else 4)

    def ask():
        try:
            for number in range(10**7):
                places.acquire()
                some = [files[(number * at_once + at) % len(files)] for at in range(at_once)]
                asked = {"id": number, "method": "embed-image", "items": [{"image": {"path": file}} for file in some]}
                process.stdin.write(json.dumps(asked).encode() + b"\n")
                process.stdin.flush()
        except (BrokenPipeError, ValueError):
            pass

    threading.Thread(target=ask, daemon=True).start()
    try:
        say("bridge: started")
        while head := process.stdout.read(12):
            told, follows = struct.unpack("<II", head[4:])
            answer, numbers = json.loads(process.stdout.read(told)), process.stdout.read(follows)
            if "id" not in answer:
                say("bridge: loads the model and starts workers")
                continue
            failed = answer.get("error") or next((one["error"] for one in answer["results"] if "error" in one), None)
            if failed:
                raise SystemExit(f"Expected embeddings but the bridge answered {failed['message']}")
            if answer["id"] == 0:
                width = answer["results"][0]["numbers"]
                seen[:] = [struct.unpack_from(f"<{width}d", numbers, 8 * width * at) for at in range(FIRST)]
            places.release()
            yield len(answer["results"])
    finally:
        process.kill()
        process.wait()


def main():
    rates = {}
    try:
        measure(rates)
    finally:
        print("\n| | images a second | 100,000 images | of the expert's loop |\n| --- | ---: | ---: | ---: |")
        for (name, precision), rate in rates.items():
            beside = f"{rate / rates[EXPERT, precision]:.2f}" if (EXPERT, precision) in rates else ""
            print(f"| {name}, {precision} | {rate:,.1f} | {100_000 / rate / 60:,.1f} min | {beside} |")


def measure(rates):
    parser = argparse.ArgumentParser()
    parser.add_argument("--architecture", help="one of open_clip's; default: ViT-L-14 on a GPU, ViT-S-32-alt without one")
    parser.add_argument("--seconds", type=float, default=200)
    given = parser.parse_args()
    # What was measured by then is printed.
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(f"Expected all within {given.seconds:.0f} s, but time is up"))
    signal.alarm(int(given.seconds) + 20)
    say("loading torch and open_clip")
    from functools import partial
    from multiprocessing import Pool

    import open_clip
    import torch

    cuda = torch.cuda.is_available()
    if not cuda:
        # One thread here and in the bridge: so they are alike, and a busy machine stops neither.
        torch.set_num_threads(1)
        os.environ["OMP_NUM_THREADS"] = "1"
    device = "cuda" if cuda else "cpu"
    card = torch.cuda.get_device_name() if cuda else f"a processor, {torch.get_num_threads()} threads"
    architecture = given.architecture or ("ViT-L-14" if cuda else "ViT-S-32-alt")
    # Without a card small images and batches, so that all phases end in time on a busy machine, too.
    cores, batch, at_once, side = len(os.sched_getaffinity(0)), *((256, 64, 512) if cuda else (8, 8, 128))
    wait = torch.cuda.synchronize if cuda else lambda: None
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, f"{number}.png") for number in range(512 if cuda else 64)]
        with Pool(cores) as pool:
            pool.map(partial(noise, side), files)
        say(f"{len(files)} images of {side} x {side}, {os.path.getsize(files[0]) // 1000} kB each")
        torch.manual_seed(0)
        network, _, transforms = open_clip.create_model_and_transforms(architecture)
        weights = os.path.join(folder, "weights.pt")
        torch.save(network.state_dict(), weights)
        network.eval().to(device)
        say(f"{architecture} with random weights, on {card}")
        precisions = {"fp32": torch.float32, "bf16": torch.bfloat16} if cuda else {"fp32": torch.float32}
        for precision, kind in precisions.items():
            network.to(kind)
            share = (given.seconds - (time.monotonic() - begun)) / (3.6 * (len(precisions) - (precision == "bf16")))
            share = share if cuda else min(share, 15)
            pixels = torch.randn(batch, *Files(files, transforms)[0].shape, dtype=kind, device=device)

            @torch.inference_mode()
            def alone():
                while True:
                    network.encode_image(pixels)
                    wait()
                    yield batch

            @torch.inference_mode()
            def expert():
                loader = torch.utils.data.DataLoader(Files(files, transforms), batch, num_workers=cores, pin_memory=cuda)
                for images in loader:
                    network.encode_image(images.to(device, kind, non_blocking=True)).float().cpu()
                    yield len(images)

            seen = []
            ours = bridge(f"{architecture}+{weights}", device, precision, files, at_once, seen)
            for name, batches in [("network alone", alone()), (EXPERT, expert()), ("bridge", ours)]:
                rates[name, precision] = timed(batches, share, wait, f"{name}, {precision}")
                batches.close()
            with torch.inference_mode():
                few = Files(files, transforms)
                own = network.encode_image(torch.stack([few[at] for at in range(FIRST)]).to(device, kind)).double().cpu()
            away = (torch.tensor(seen, dtype=torch.float64) - own).abs().max().item()
            say(f"embeddings of the bridge and of the loop differ by {away:.1e} at most, of {own.abs().max().item():.1e}")


if __name__ == "__main__":
    main()
