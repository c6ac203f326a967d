import { basename } from "node:path";
import { asJson } from "../../../core/json.js";
import type { EvidenceSet } from "../../../evidence/set-schema.js";
import { evidenceSets, setsNamed } from "../../../evidence/sets.js";
import { command } from "../../command-line/command.js";
import { shellWords } from "../../command-line/shell-words.js";
import { table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";

/** A command's words with the file's name for FILE. */
export const wordsOn = (words: readonly string[], file: string): string[] =>
  words.map((word) => (word === "FILE" ? file : word));

/** What programs are told of a set: all of its YAML but how it is read. */
const listed = ({ reads: _, tables, ...set }: EvidenceSet) => ({ ...set, ...tables });

export default command({
  description:
    "Lists published sets of people's answers beside metrics and judges; with NAME, what one holds, its " +
    "licence, where it comes from, what people were asked, what goes wrong easily, and commands that " +
    "recompute its figures. Nothing is downloaded.",
  examples: ["touchstone evidence sets", "touchstone evidence sets tifa160"],
  arguments: {
    name: { kind: "positional", optional: true, description: "such as tifa160" },
  },
  async run({ given: { name }, output }) {
    if (name === undefined) {
      const sets = evidenceSets();
      const all = sets.map(listed);
      // `datasets` is what the verb was called, and its key.
      output.resultJson(asJson({ sets: all, datasets: all }));
      output.result(
        table(
          [{ title: "set" }, { title: "asked" }, { title: "what" }, { title: "licence" }],
          sets.map((set) => [set.name, set.asked.for, set.title, set.licence]),
          output.style.width,
        ),
      );
      output.nextCommand(["evidence", "fetch", "tifa160", "--to", "data"]);
      return;
    }
    for (const set of setsNamed([name])) {
      output.resultJson(asJson(listed(set)));
      output.result(described(set, output.style.width));
      const [first] = set.tables?.commands ?? [];
      if (set.tables !== undefined && first !== undefined) {
        output.nextCommand(wordsOn(first.words, basename(set.tables.file)));
      } else output.nextCommand(["evidence", "fetch", set.name, "--to", "data"]);
    }
  },
});

function described(set: EvidenceSet, width: number): string {
  const { title, holds, licence, repository, commit, asked, traps, tables } = set;
  const line = (name: string, text: string) => wrap(`${name}: ${text}`, width);
  const file = basename(tables?.file ?? "");
  return [
    wrap(`${set.name}: ${title}`, width),
    "",
    line("holds", holds),
    line("licence", licence),
    line("from", `${repository} at ${commit.slice(0, 7)}, ${set.files.length} files`),
    line("asked", `${asked.question} (${asked.scale}; ${asked.raters})`),
    ...(tables === undefined
      ? []
      : [
          line(
            "columns",
            Object.entries(tables.columns)
              .map(([ours, theirs]) => `${ours} is ${theirs}`)
              .join("; "),
          ),
        ]),
    ...traps.map((trap) => line("mind", trap)),
    ...(tables?.commands ?? []).flatMap(({ computes, words, gives }) => [
      "",
      wrap(`${computes}${gives === undefined ? " (not checked)" : ":"}`, width),
      `  ${shellWords(["touchstone", ...wordsOn(words, file)])}`,
      ...Object.entries(gives ?? {}).map(
        ([member, value]) => `    ${member.replaceAll("/", " ")}  ${value}`,
      ),
    ]),
  ].join("\n");
}
