import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPairs } from "../../../benchmarks/preference/build-pairs.js";
import { countFaults } from "../../../benchmarks/preference/count-faults.js";
import {
  type PreferenceRow,
  preferenceRows,
} from "../../../benchmarks/preference/preference-rows.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { makeFolder } from "../../../files/make-folder.js";
import { openStore } from "../../../files/open-store.js";
import { openPicture } from "../../../images/picture.js";
import { runSteps } from "../../../runs/run-steps.js";
import { csvLine } from "../../../tables/csv-text.js";
import { loadLab } from "../../lab.js";
import { paintedBy } from "../../models/generator-choice.js";
import { version } from "../../program.js";

/** A set of files with images that a verb takes as it is. */
export interface PaintedExample {
  readonly shows: string;
  /** @param folder where it is written; it is made where there is none. */
  write(folder: string, options: { readonly signal: AbortSignal }): Promise<void>;
  /** The words after `touchstone` that use it, where it lies at `place`. */
  next(place: string): readonly string[];
}

type Cell = string | number | null;

/** Examples with images, painted by the lab, by the verb that reads them. */
export const paintedExamples: Readonly<Record<string, PaintedExample>> = {
  calibrate: {
    shows: "120 labelled pairs of images, and 20 more for judge to decide (--out DIR)",
    async write(folder, { signal }) {
      const painted = await paintPairsInto(folder, { count: 310, signal });
      // Pairs with as much wrong in both images have no right answer.
      const decided = painted.filter(({ preferred }) => preferred !== "tie");
      const [labelled, others] = [decided.slice(0, 120), decided.slice(120, 140)];
      const columns = ["id", "caption", "image_a", "image_b"];
      await writeTable(join(folder, "labels.csv"), [
        [...columns, "preferred"],
        ...labelled.map((pair) => [
          ...[pair.id, pair.caption, pair.imageA, pair.imageB],
          pair.preferred,
        ]),
      ]);
      await writeTable(join(folder, "pairs.csv"), [
        columns,
        ...others.map((pair) => [pair.id, pair.caption, pair.imageA, pair.imageB]),
      ]);
    },
    next: (place) => [
      ...["calibrate", `${place}/labels.csv`, "--model", "lab:judge"],
      ...["--prompts", "5", "--target-error", "0.2", "--out", "judge.json"],
    ],
  },
  score: {
    shows: "22 images with captions, half of them by a painter who errs (--out DIR)",
    async write(folder, { signal }) {
      const pairs = await paintPairsInto(folder, { count: 12, signal });
      await writeTable(join(folder, "captions.csv"), [
        ["image", "text"],
        ...pairs.flatMap(({ caption, imageA, imageB }) => [
          [imageA, caption],
          [imageB, caption],
        ]),
      ]);
    },
    next: (place) => [
      "score",
      `${place}/captions.csv`,
      "--model",
      "lab:vqa",
      "--out",
      "scores.html",
    ],
  },
  audit: {
    shows: "the settings of an audit of two of the lab's skewed painters (--out DIR)",
    async write(folder) {
      await writeFileAtomically(
        join(folder, "audit.yaml"),
        [
          "generators: [lab:painter-slight, lab:painter-strong]   # or openai-images:NAME, folder:DIR",
          "judge: lab:auditor                                     # or openai-compatible:NAME",
          "refiner: lab:refiner",
          "queriesPerCategory: 3",
          "",
        ].join("\n"),
      );
    },
    next: (place) => ["audit", `${place}/audit.yaml`, "--run", "runs/audit"],
  },
  study: {
    shows: "a study of 12 images for people to rate from 1 to 4 (--out DIR)",
    async write(folder, { signal }) {
      const pairs = await paintPairsInto(folder, { count: 6, signal });
      await writeTable(join(folder, "items.csv"), [
        ["id", "image", "text"],
        ...pairs.flatMap(({ id, caption, imageA, imageB }) => [
          [`${id}-a`, imageA, caption],
          [`${id}-b`, imageB, caption],
        ]),
      ]);
      await writeFileAtomically(
        join(folder, "study.yaml"),
        [
          "title: Does the image show what the text says?",
          "seed: 7",
          "open: true            # anybody with the address may take part",
          "consent: >-",
          "  You will rate 12 images. Your answers are stored under a pseudonym; you may stop at any",
          "  time and have them erased.",
          "blocks:",
          "  - protocol: rating",
          "    from: items.csv",
          "    ratingsPerItem: 3",
          "    itemsPerParticipant: 12",
          "",
        ].join("\n"),
      );
    },
    next: (place) => ["study", "create", `${place}/study.yaml`, "--run", "studies/first"],
  },
};

const writeTable = (path: string, rows: readonly (readonly Cell[])[]): Promise<void> =>
  writeFileAtomically(path, rows.map(csvLine).join(""));

/** A pair of painted images, by the names of their files. */
export interface PaintedPair
  extends Pick<PreferenceRow, "caption" | "preferred" | "wrongA" | "wrongB"> {
  readonly id: string;
  /** From the folder of the example. */
  readonly imageA: string;
  readonly imageB: string;
}

const seed = 20;

/** Paints pairs of images by the lab into `folder`/images: a better and a worse painter for each caption. */
async function paintPairsInto(
  folder: string,
  { count, signal }: { readonly count: number; readonly signal: AbortSignal },
): Promise<readonly PaintedPair[]> {
  const { pairs: source, truth } = (await loadLab()).world;
  const work = await mkdtemp(join(tmpdir(), "touchstone-example-"));
  try {
    const run = await openStore(work, {
      create: { command: "touchstone example", seed, software: `touchstone ${version()}` },
    });
    const steps = [
      buildPairs({ source, seed, count }),
      ...(await paintedBy(source)),
      countFaults({ truth: truth.faults }),
    ];
    await runSteps({ run, steps, openPicture, signal });
    const { rows } = await preferenceRows(run);
    await makeFolder(join(folder, "images"));
    const named = rows.map((row, at) => ({ row, id: `pair-${String(at + 1).padStart(2, "0")}` }));
    const pairs: PaintedPair[] = [];
    for (const { row, id } of named) {
      const [imageA, imageB] = [`images/${id}-a.png`, `images/${id}-b.png`];
      await writeFileAtomically(join(folder, imageA), await run.blobs.read(row.imageA));
      await writeFileAtomically(join(folder, imageB), await run.blobs.read(row.imageB));
      const { caption, preferred, wrongA, wrongB } = row;
      pairs.push({ id, caption, imageA, imageB, preferred, wrongA, wrongB });
    }
    return pairs;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
