import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  conclusions,
  type RegisteredConclusion,
  verbWords,
} from "../../../conclusions/conclusions.js";
import { InputError } from "../../../core/errors.js";
import type { Json } from "../../../core/json.js";
import { nearest } from "../../../core/nearest.js";
import { namesIn } from "../../../files/make-folder.js";
import { readTable } from "../../../files/read-table.js";
import { numeric } from "../../../tables/columns.js";
import { command } from "../../command-line/command.js";
import { table } from "../../terminal/terminal-table.js";
import { paintedExamples } from "./painted-examples.js";

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
