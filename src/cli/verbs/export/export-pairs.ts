import { createHash } from "node:crypto";
import { join, relative, resolve } from "node:path";
import type { Selection } from "../../../analysis/pairs/image-pairs.js";
import { chosenNames } from "../../../benchmarks/benchmark.js";
import { prototypicality } from "../../../benchmarks/prototypicality/benchmark.js";
import { readCountedRecords, runFilter } from "../../../benchmarks/prototypicality/run-filter.js";
import {
  sentencesApart,
  type TrainingPair,
  trainingKinds,
  trainingPairs,
} from "../../../benchmarks/prototypicality/training-pairs.js";
import { isFromLab, type RunRecords } from "../../../benchmarks/run-records.js";
import { InputError } from "../../../core/errors.js";
import { randomFrom } from "../../../core/random.js";
import type { RecordStore } from "../../../core/record-store.js";
import { promptSplits } from "../../../core/records.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { type NamedFrom, openStore, runPlace } from "../../../files/open-store.js";
import { countText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { checkTarget } from "../../command-line/out-path.js";
import { runArgument } from "../../command-line/shared-arguments.js";
import { withOwnModel } from "../../models/own-model.js";
import { unfitRun } from "../run/benchmark-of.js";

export default command({
  description:
    "Writes pairs of images to train a metric on, from a run of prototypicality: a text, an image " +
    "that shows it and one that does not. Kinds: contrastive (the paper's: atypical and right, " +
    "typical and wrong), control-atypical and control-typical (one member in both), reversed " +
    "(typical and right, atypical and wrong) and foreign (an image of another prompt). As many of " +
    "each domain, and of each kind, the controls together. No pair has a sentence of the run's other " +
    "splits. Only pairs that pass the run's filter, or else its truth check, are taken. Writes " +
    "pairs.jsonl (for calibrate, judge and studies, too: image_a, image_b, preferred), " +
    "preferences.jsonl (prompt, chosen, rejected), images and export.json with hashes.",
  examples: [
    "touchstone export pairs runs/train --out pairs",
    "touchstone export pairs runs/train --out pairs --kind contrastive --pairs 10000",
    "touchstone export pairs runs/train --out pairs --apart-from runs/demo",
  ],
  arguments: {
    run: runArgument,
    out: { kind: "text", value: "DIR", required: true, description: "the folder to write to" },
    kind: {
      kind: "text",
      value: "NAME",
      repeated: true,
      description: `one of ${trainingKinds.join(", ")} (default: all). contrastive alone, as in the paper, teaches the opposite prejudice: see docs/protoscore.md`,
    },
    pairs: {
      kind: "number",
      integer: true,
      minimum: 1,
      description: "at most N pairs in all (default: as many as stay even)",
    },
    split: { kind: "choice", choices: promptSplits, default: "train", description: "the split" },
    "apart-from": {
      kind: "text",
      value: "RUN",
      repeated: true,
      description: "another run: no pair has a sentence of its other splits",
    },
    seed: { kind: "number", integer: true, minimum: 0, default: 0, description: "the random seed" },
  },
  async run({ given, environment, output }) {
    const { workingDirectory } = environment;
    const { split, seed } = given;
    const kinds = chosenNames(given.kind, trainingKinds, "--kind");
    const folder = resolve(workingDirectory, given.out);
    await checkTarget(join(folder, "pairs.jsonl"));
    const { run, records } = await readBenchmark(given.run, environment);
    const others = await Promise.all(
      given["apart-from"].map((name) => readBenchmark(name, environment)),
    );
    const apart = new Set(
      [records, ...others.map((other) => other.records)].flatMap((one) => [
        ...sentencesApart(one, split),
      ]),
    );
    const selection = selectionOf(records, run);
    const made = trainingPairs({
      records,
      selection,
      split,
      kinds,
      seed,
      apart,
      total: given.pairs,
    });
    const images = await writeImages(made.pairs, run, folder);
    const fileOf = (image: string) => images.get(image) ?? "";
    const files = {
      "pairs.jsonl": lines(
        made.pairs.map(({ text, correct, adversarial, ...rest }) => ({
          ...rest,
          prompt: text,
          correct: fileOf(correct.image),
          adversarial: fileOf(adversarial.image),
          ...sides(rest.id, {
            correct: fileOf(correct.image),
            adversarial: fileOf(adversarial.image),
            seed,
          }),
          captionCorrect: correct.caption,
          captionAdversarial: adversarial.caption,
          sha256Correct: correct.image,
          sha256Adversarial: adversarial.image,
        })),
      ),
      "preferences.jsonl": lines(
        made.pairs.map(({ text, correct, adversarial }) => ({
          prompt: text,
          chosen: fileOf(correct.image),
          rejected: fileOf(adversarial.image),
        })),
      ),
    };
    const counts = countsOf(made.pairs);
    const manifest = {
      run: given.run,
      command: run.recipe.commands,
      split,
      seed,
      kinds,
      selection: { ...selection },
      pairs: made.pairs.length,
      images: images.size,
      counts,
      leftOut: made.leftOut,
      files: Object.fromEntries(
        Object.entries(files).map(([name, text]) => [
          name,
          createHash("sha256").update(text).digest("hex"),
        ]),
      ),
    };
    for (const [name, text] of Object.entries(files)) {
      await writeFileAtomically(join(folder, name), text);
    }
    // Last, so that a folder that has it is whole.
    await writeFileAtomically(
      join(folder, "export.json"),
      `${JSON.stringify(manifest, null, 2)}\n`,
    );
    output.resultJson(JSON.parse(JSON.stringify({ out: given.out, ...manifest })));
    output.result(
      [
        `Wrote ${countText(made.pairs.length)} pairs and ${countText(images.size)} images to ${relative(workingDirectory, folder)}:`,
        ...Object.entries(counts).map(
          ([kind, byDomain]) =>
            `  ${kind}: ${Object.entries(byDomain)
              .map(([domain, count]) => `${countText(count)} ${domain}`)
              .join(", ")}`,
        ),
        ...Object.entries(made.leftOut).map(
          ([reason, count]) => `Left out: ${countText(count)} (${reason})`,
        ),
      ].join("\n"),
    );
    output.nextCommand(
      await withOwnModel(["calibrate", join(given.out, "pairs.jsonl")], environment, {
        lab: isFromLab(records) ? "lab:judge" : undefined,
      }),
    );
  },
});

async function readBenchmark(
  name: string,
  environment: NamedFrom,
): Promise<{ readonly run: RecordStore; readonly records: RunRecords }> {
  const run = await openStore(runPlace(name, environment));
  if (!prototypicality.recognises(run.recipe)) {
    throw unfitRun(run.recipe, `of ${prototypicality.name}`);
  }
  return { run, records: await readCountedRecords(run) };
}

/** The pair as a table of labels has it: which image comes first is drawn by `seed`. */
function sides(
  id: string,
  {
    correct,
    adversarial,
    seed,
  }: Readonly<Record<"correct" | "adversarial", string>> & { readonly seed: number },
) {
  const isFirst = randomFrom(seed, "sides of a pair", id).chance(0.5);
  return {
    image_a: isFirst ? correct : adversarial,
    image_b: isFirst ? adversarial : correct,
    preferred: isFirst ? "a" : "b",
  };
}

/** The run's filter, or what the truth confirms, or all. */
function selectionOf(records: RunRecords, { recipe }: RecordStore): Selection {
  const filter = runFilter(records, recipe);
  if (filter !== undefined) return filter.selection;
  const truth = records.scores.find(({ step }) => step.startsWith("check-truth@"));
  return truth === undefined
    ? { name: "unfiltered" }
    : { name: "truth-filtered", metric: truth.metric, atLeast: 1 };
}

/** The file of each image by its hash, relative to the folder. */
async function writeImages(
  pairs: readonly TrainingPair[],
  { blobs }: RecordStore,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const { image, mediaType } of pairs.flatMap((pair) => [pair.correct, pair.adversarial])) {
    if (files.has(image)) continue;
    const ending = endings[mediaType];
    if (ending === undefined) {
      throw new InputError(
        `Expected images of ${Object.keys(endings).join(", ")} but received ${mediaType}`,
      );
    }
    const name = join("images", image.slice(0, 2), `${image}${ending}`);
    await writeFileAtomically(join(folder, name), await blobs.read(image));
    files.set(image, name);
  }
  return files;
}

const endings: Readonly<Record<string, string>> = {
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/webp": ".webp",
  "image/gif": ".gif",
};

const lines = (rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join("");

function countsOf(pairs: readonly TrainingPair[]): Record<string, Record<string, number>> {
  const counts: Record<string, Record<string, number>> = {};
  for (const { kind, domain } of pairs) {
    const own = counts[kind] ?? {};
    own[domain] = (own[domain] ?? 0) + 1;
    counts[kind] = own;
  }
  return counts;
}
