import { basename } from "node:path";
import { z } from "zod";
import { loadData } from "../../../benchmarks/load-data.js";
import { once } from "../../../core/cache.js";
import { InputError } from "../../../core/errors.js";
import { asJson } from "../../../core/json.js";
import { nearest } from "../../../core/nearest.js";
import { command } from "../../command-line/command.js";
import { shellWords } from "../../command-line/shell-words.js";
import { table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";

const schema = z.array(
  z.strictObject({
    name: z.string().regex(/^[a-z0-9-]+$/),
    title: z.string(),
    holds: z.string(),
    licence: z.string(),
    from: z.string(),
    file: z.string(),
    columns: z.record(z.string(), z.string()),
    traps: z.array(z.string()),
    commands: z
      .array(
        z.strictObject({
          computes: z.string(),
          words: z.array(z.string()),
          gives: z.record(z.string(), z.number()).optional(),
        }),
      )
      .min(1),
  }),
);

type KnownDataset = z.output<typeof schema>[number];

/** Reads the list of data sets in data/datasets.yaml. */
export const knownDatasets = once((): readonly KnownDataset[] => loadData("datasets.yaml", schema));

/** A command's words with the file's name for FILE. */
export const wordsOn = (words: readonly string[], file: string): string[] =>
  words.map((word) => (word === "FILE" ? file : word));

export default command({
  description:
    "Lists published data sets that verbs read as they are distributed; with NAME, what one holds, its " +
    "licence, where it comes from, its columns, what goes wrong easily, and the commands that recompute " +
    "its figures. Nothing is downloaded.",
  examples: ["touchstone datasets", "touchstone datasets tifa160"],
  arguments: {
    name: { kind: "positional", optional: true, description: "such as tifa160" },
  },
  async run({ given: { name }, output }) {
    const all = knownDatasets();
    if (name === undefined) {
      output.resultJson(asJson({ datasets: all }));
      output.result(
        table(
          [{ title: "data set" }, { title: "what" }, { title: "licence" }],
          all.map(({ name, title, licence }) => [name, title, licence]),
          output.style.width,
        ),
      );
      output.nextCommand(["datasets", "tifa160"]);
      return;
    }
    const dataset = all.find((one) => one.name === name);
    if (dataset === undefined) {
      const names = all.map((one) => one.name);
      const meant = nearest(name, names);
      throw new InputError(
        `Expected one of ${names.join(", ")} but received "${name}"`,
        meant === undefined ? {} : { hint: `Did you mean ${meant}?` },
      );
    }
    output.resultJson(asJson(dataset));
    output.result(described(dataset, output.style.width));
    const [first] = dataset.commands;
    if (first !== undefined) output.nextCommand(wordsOn(first.words, basename(dataset.file)));
  },
});

function described(dataset: KnownDataset, width: number): string {
  const { title, holds, licence, from, columns, traps, commands } = dataset;
  const file = basename(dataset.file);
  const line = (name: string, text: string) => wrap(`${name}: ${text}`, width);
  return [
    wrap(`${dataset.name}: ${title}`, width),
    "",
    line("holds", holds),
    line("licence", licence),
    line("from", from),
    line(
      "columns",
      Object.entries(columns)
        .map(([ours, theirs]) => `${ours} is ${theirs}`)
        .join("; "),
    ),
    ...traps.map((trap) => line("mind", trap)),
    ...commands.flatMap(({ computes, words, gives }) => [
      "",
      wrap(`${computes}${gives === undefined ? " (not checked)" : ":"}`, width),
      `  ${shellWords(["touchstone", ...wordsOn(words, file)])}`,
      ...Object.entries(gives ?? {}).map(
        ([member, value]) => `    ${member.replaceAll("/", " ")}  ${value}`,
      ),
    ]),
  ].join("\n");
}
