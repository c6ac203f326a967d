import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPairs, countFaults } from "../../../benchmarks/preference/build-pairs.js";
import {
  type PreferenceRow,
  preferenceRows,
} from "../../../benchmarks/preference/preference-rows.js";
import {
  conclusions,
  type RegisteredConclusion,
  verbWords,
} from "../../../conclusions/conclusions.js";
import { InputError } from "../../../core/errors.js";
import type { Json } from "../../../core/json.js";
import { nearest } from "../../../core/nearest.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { makeFolder, namesIn } from "../../../files/make-folder.js";
import { openStore } from "../../../files/open-store.js";
import { readTable } from "../../../files/read-table.js";
import { openPicture } from "../../../images/picture.js";
import { runSteps } from "../../../runs/run-steps.js";
import { csvLine } from "../../../tables/cell-table.js";
import { numeric } from "../../../tables/columns.js";
import { command } from "../../command-line/command.js";
import { loadLab } from "../../lab.js";
import { paintedBy } from "../../models/generator-choice.js";
import { version } from "../../program.js";
import { table } from "../../terminal/terminal-table.js";

interface Example {
  readonly shows: string;
  /** The words of the command that reads it. */
  readonly next: readonly string[];
}

/** What is concluded from a table has a small one that it takes as it is: data/examples/NAME.csv. */
async function examplesOf(
  listed: readonly RegisteredConclusion[],
): Promise<Record<string, Example>> {
  const each = listed.map(async (one) => {
    const { example } = (await one.load()).default;
    if (example === undefined) return [];
    const next = [...verbWords(one), "-", ...(example.words ?? [])];
    return [[one.name, { shows: example.shows, next }] as const];
  });
  return Object.fromEntries((await Promise.all(each)).flat());
}

/** Whole studies, each of a paper, as `study create` reads them: data/studies/NAME.yaml. */
const studies: Readonly<Record<string, string>> = {
  "study-image-ratings": "a study: five people rate images and their texts (ProtoBias)",
  "study-attribute-protocols": "a study: Likert against localised questions (L-VQAScore)",
  "study-stereotype-interviews": "a study: what people expect, then see and prefer (SSI)",
  "study-stereotype-experts": "a study: experts check a judge's rubric (SSI)",
};

export default command({
  description:
    "Prints a small sample of the table that a verb reads; with --out, writes a small set of files " +
    "with images, painted by the lab. Without VERB it lists the verbs that have one.",
  examples: [
    "touchstone example contrastive > scores.csv",
    "touchstone example contrastive --format jsonl",
    "touchstone example calibrate --out pairs",
  ],
  arguments: {
    verb: { kind: "positional", optional: true, description: "such as contrastive" },
    format: {
      kind: "choice",
      choices: ["csv", "jsonl"],
      default: "csv",
      description: "the format of the sample",
    },
    out: {
      kind: "text",
      value: "DIR",
      description: "the folder for an example with images; it is made where there is none",
    },
  },
  async run({ given: { verb, format, json, out }, environment, output }) {
    if (verb === undefined) {
      const listed = [
        ...Object.entries({ ...(await examplesOf(conclusions)), ...paintedExamples }),
        ...Object.entries(studies).map(([name, shows]) => [name, { shows }] as const),
      ];
      output.resultJson({ examples: listed.map(([name, { shows }]) => ({ verb: name, shows })) });
      output.result(
        table(
          [{ title: "verb" }, { title: "sample" }],
          listed.map(([name, { shows }]) => [name, shows]),
          output.style.width,
        ),
      );
      output.nextCommand(["example", "contrastive"]);
      return;
    }
    if (studies[verb] !== undefined) {
      refuseOut(out, { verb, file: "study.yaml" });
      const file = `../../../../data/studies/${verb.replace("study-", "")}.yaml`;
      const yaml = await readFile(new URL(file, import.meta.url), "utf8");
      output.resultJson({ verb, yaml });
      if (!json) output.data(yaml);
      output.note("Save it as study.yaml; --from names a run, a folder or a table of your own.");
      output.nextCommand(["study", "create", "study.yaml", "--lint"]);
      return;
    }
    const painted = paintedExamples[verb];
    if (painted !== undefined) {
      if (out === undefined) {
        throw new InputError(`Expected a folder for the images of this example, --out DIR`, {
          hint: `For example: touchstone example ${verb} --out ${verb}-example`,
        });
      }
      const { workingDirectory, signal } = environment;
      const folder = resolve(workingDirectory, out);
      await refuseFilled(folder, out);
      output.progress("Painting …");
      await painted.write(folder, { signal });
      output.resultJson({ verb, out });
      output.result(`Wrote ${out}: ${painted.shows.replace(" (--out DIR)", "")}.`);
      output.nextCommand([...painted.next(out)]);
      return;
    }
    const { next } = await exampleOf(verb);
    refuseOut(out, { verb, file: `${verb}.csv` });
    const path = fileURLToPath(new URL(`../../../../data/examples/${verb}.csv`, import.meta.url));
    const rows: Record<string, Json>[] = [];
    for await (const { all } of readTable({ source: { name: verb, path }, columns: {} })) {
      rows.push(Object.fromEntries(Object.entries(all).map(([name, cell]) => [name, value(cell)])));
    }
    output.resultJson({ verb, rows });
    if (!json && format === "csv") output.data(await readFile(path, "utf8"));
    if (!json && format === "jsonl") {
      output.data(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    }
    output.nextCommand([...next], { reading: ["example", verb] });
  },
});

async function exampleOf(verb: string): Promise<Example> {
  const found = (await examplesOf(conclusions.filter(({ name }) => name === verb)))[verb];
  if (found !== undefined) return found;
  const names = [
    ...conclusions.map(({ name }) => name),
    ...[paintedExamples, studies].flatMap((some) => Object.keys(some)),
  ];
  const meant = nearest(verb, names);
  throw new InputError(`Expected one of ${names.join(", ")} for VERB but received "${verb}"`, {
    hint: meant === undefined ? "See: touchstone example" : `Did you mean ${meant}?`,
  });
}

/** An example without images is printed, and `file` is what it is saved as. */
function refuseOut(
  out: string | undefined,
  { verb, file }: { readonly verb: string; readonly file: string },
): void {
  if (out === undefined) return;
  throw new InputError(
    `Expected one of ${Object.keys(paintedExamples).join(", ")} with --out but received "${verb}"`,
    { hint: `It has no images, and is printed: touchstone example ${verb} > ${file}` },
  );
}

/** Nothing of the user's is written over. */
async function refuseFilled(folder: string, named: string): Promise<void> {
  const there = await namesIn(folder);
  if (there.length === 0) return;
  throw new InputError(`Expected an empty or new folder for --out but received ${named}`, {
    hint: `It holds ${there.length === 1 ? there[0] : `${there.length} files`} already.`,
  });
}

/** Reads a cell of a sample: a number, nothing, a list or a text. */
function value(cell: unknown): Json {
  const number = numeric.read(cell, { isText: true });
  if ("value" in number) return number.value;
  const text = String(cell);
  return text.startsWith("[") ? JSON.parse(text) : text;
}

/** A set of files with images that a verb takes as it is. */
interface PaintedExample {
  readonly shows: string;
  /** @param folder where it is written; it is made where there is none. */
  write(folder: string, options: { readonly signal: AbortSignal }): Promise<void>;
  /** The words after `touchstone` that use it, where it lies at `place`. */
  next(place: string): readonly string[];
}

type Cell = string | number | null;

/** Examples with images, painted by the lab, by the verb that reads them. */
const paintedExamples: Readonly<Record<string, PaintedExample>> = {
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
interface PaintedPair extends Pick<PreferenceRow, "caption" | "preferred" | "wrongA" | "wrongB"> {
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
