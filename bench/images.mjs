// node bench/images.mjs [--write] [TURNS [POINT]]
//
// What an image more costs `score`, in processor time of all its processes: 500 noisy PNGs of 512 x 512 beside 50, with
// nothing remembered, and beside an expert who reads the same files. Three points have a pool of two Pillow processes as
// peer, the fourth open_clip's ViT-B/32 behind a DataLoader. Scores are compared item by item before times are.
// TOUCHSTONE_PYTHON may name a Python that has Pillow and open_clip; the fourth point is skipped where it has none.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPeers, python as peersPython } from "./python-peer.mjs";
import { printFound, words, writeTable } from "./written-table.mjs";

const [turns = 3, only] = words;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const ownPython = process.env.TOUCHSTONE_PYTHON;
const python = ownPython ?? peersPython;

const points = {
  python: { title: "a function in Python", metric: ["python:mine.py:score"], aim: 0.6 },
  pixels: {
    title: "a metric in JavaScript that looks at pixels",
    metric: ["./pixels.mjs"],
    aim: 0.7,
  },
  none: {
    title: "a metric in JavaScript that never looks at pixels",
    metric: ["./none.mjs"],
    aim: 2,
  },
  clip: {
    title: "CLIPScore by open_clip's ViT-B/32",
    metric: ["clip-score:cosine"],
    peer: "loop",
    counts: [16, 208],
    aim: 0.9,
  },
};

const module = (name, score) =>
  `export default { name: "${name}", range: [-1, 1], direction: "higher", async score({ image, text }) { ${score} } };\n`;
const metrics = {
  "mine.py": "def score(image, text):\n    return image.getpixel((0, 0))[0] / 255\n",
  "pixels.mjs": module("pixels", "return (await image.pixels()).data[0] / 255;"),
  "none.mjs": module("none", "return text.length / 10;"),
};

/** Runs the clock and the peers. */
function peer(...its) {
  const { status, stdout, stderr } = spawnSync(python, [here("./images_peer.py"), ...its], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
    cwd: folder,
    env: {
      ...process.env,
      OMP_NUM_THREADS: "1",
      TOUCHSTONE_PYTHON: python,
      TOUCHSTONE_CACHE: "cache",
    },
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

function timed(...command) {
  const { status, stdout, stderr, seconds } = peer("timed", ...command);
  if (status !== 0) throw new Error(`${command.join(" ")}: exit ${status}: ${stderr}`);
  return { seconds, stdout };
}

/** Scores so many images in a folder where nothing is remembered. */
function ours(metric, count) {
  for (const name of [".touchstone", "cache"]) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
  const rows = Array.from({ length: count }, (_, at) => `${`${at}`.padStart(3, "0")}.png,a cat`);
  writeFileSync(join(folder, "t.csv"), ["image,text", ...rows, ""].join("\n"));
  const its = ["--metric", ...metric, "--no-sanity", "--out", "o.jsonl"];
  const { seconds } = timed(process.execPath, here("../bin/touchstone"), "score", "t.csv", ...its);
  const lines = readFileSync(join(folder, "o.jsonl"), "utf8").trim().split("\n");
  rmSync(join(folder, "o.jsonl"));
  return { seconds, scores: lines.map((line) => JSON.parse(line).value) };
}

function theirs(name, count) {
  const { seconds, stdout } = timed(python, here("./images_peer.py"), name, folder, `${count}`);
  return { seconds, scores: JSON.parse(stdout) };
}

/** Seconds of processor time of an image more, and the scores of all. */
function more(run, [few, many]) {
  const before = run(few).seconds;
  const { seconds, scores } = run(many);
  return { seconds: (seconds - before) / (many - few), scores };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const reason = ownPython === undefined ? installPeers() : undefined;
if (reason !== undefined) {
  console.log(`skipped: the peers can't be installed (${reason})`);
  process.exit();
}
const folder = mkdtempSync(join(tmpdir(), "touchstone-images-"));
for (const [name, text] of Object.entries(metrics)) writeFileSync(join(folder, name), text);
try {
  peer("noise", folder, "500");
  const { skipped, version } =
    only === undefined || only === "clip" ? peer("weights", folder, "0") : {};
  const rows = [];
  for (const [
    name,
    { title, metric, aim, peer: loop = "pool", counts = [50, 500] },
  ] of Object.entries(points)) {
    if (only !== undefined && only !== name) continue;
    if (loop === "loop" && skipped !== undefined) {
      console.log(`${title}: skipped (${skipped})`);
      continue;
    }
    const model = ["--model", `python-bridge:open-clip:ViT-B-32+${join(folder, "weights.pt")}`];
    const asked = loop === "loop" ? [...metric, ...model] : metric;
    const found = [];
    for (let turn = 0; turn < turns; turn++) {
      const mine = more((count) => ours(asked, count), counts);
      const its = more((count) => theirs(loop, count), counts);
      // A metric that never looks has no score in common with who does; networks round by batch.
      const apart = mine.scores.findIndex(
        (score, at) => !(Math.abs(score - its.scores[at]) < 1e-5),
      );
      if (name !== "none" && apart >= 0) {
        throw new Error(
          `${title}: ${mine.scores[apart]} of image ${apart} is ${its.scores[apart]} there`,
        );
      }
      found.push([mine.seconds, its.seconds]);
    }
    const ratios = found.map(([mine, its]) => its / mine).sort((a, b) => a - b);
    const row = {
      task: title,
      peer: loop === "loop" ? "DataLoader of 2 workers" : "pool of 2 Pillow processes",
      ours: median(found.map(([mine]) => mine)),
      theirs: median(found.map(([, its]) => its)),
      others: {},
      ratio: median(ratios),
      low: ratios[0],
      high: ratios.at(-1),
      turns,
      aim,
    };
    printFound(title, row);
    rows.push(row);
  }
  const conditions = "Processor time of all processes for an image more; medians of turns.";
  const versions = skipped === undefined ? `Pillow, open_clip ${version}` : "Pillow";
  writeTable("images", { versions, conditions, rows });
} finally {
  rmSync(folder, { recursive: true });
}
