import { resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { foreignFiles } from "../../../files/foreign-files.js";
import { rowsWriter } from "../../../files/rows-file.js";
import {
  type ForeignRow,
  type ForeignTool,
  wideRows,
} from "../../../tables/foreign/foreign-table.js";
import { pluralText } from "../../../views/number-text.js";
import { type Command, command, commandGroup } from "../../command-line/command.js";
import { checkOut } from "../../command-line/out-path.js";

/** Loads the verb that imports one tool's files. */
const of = (load: () => Promise<ForeignTool>) => async () => ({
  default: importCommand(await load()),
});

export default commandGroup({
  description: "Turns the results of other tools into a table that analyze and compare read.",
  examples: [
    "touchstone import promptfoo results.json --out scores.csv",
    "touchstone import label-studio export.json --out ratings.csv --question quality",
  ],
  verbs: [
    {
      name: "promptfoo",
      summary: "results of promptfoo eval -o results.json",
      load: of(async () => (await import("../../../tables/foreign/promptfoo.js")).promptfoo),
    },
    {
      name: "inspect-ai",
      summary: "logs of inspect_ai (.eval or .json)",
      load: of(async () => (await import("../../../tables/foreign/inspect-ai.js")).inspectAi),
    },
    {
      name: "label-studio",
      summary: "annotations of Label Studio (its JSON export)",
      load: of(async () => (await import("../../../tables/foreign/label-studio.js")).labelStudio),
    },
    {
      name: "arena",
      summary: "a table of battles, as LMArena publishes it",
      load: of(async () => (await import("../../../tables/foreign/arena.js")).arena),
    },
    {
      name: "heim",
      summary: "a run or a suite of HEIM (HELM for images)",
      load: of(async () => (await import("../../../tables/foreign/heim.js")).heim),
    },
    {
      name: "evalscope",
      summary: "reviews of evalscope (outputs/TIME)",
      load: of(async () => (await import("../../../tables/foreign/evalscope.js")).evalscope),
    },
    {
      name: "lm-eval",
      summary: "samples of lm-eval (--log_samples)",
      load: of(async () => (await import("../../../tables/foreign/lm-eval.js")).lmEval),
    },
    {
      name: "lmms-eval",
      summary: "samples of lmms-eval (--log_samples)",
      load: of(async () => (await import("../../../tables/foreign/lm-eval.js")).lmmsEval),
    },
  ],
});

/** The verb that imports one tool's files as a table. */
function importCommand(tool: ForeignTool): Command {
  return command({
    description: `${tool.description} What was not understood is listed, and nothing is written.`,
    examples: [tool.example],
    arguments: {
      file: { kind: "positional", description: `a file or a folder: ${tool.summary}` },
      out: {
        kind: "text",
        value: "FILE",
        required: true,
        description: "the table: .csv, .jsonl or .parquet",
      },
      wide: {
        kind: "switch",
        description: "for scores: a column for each metric, as analyze correlation reads them",
      },
      question: {
        kind: "text",
        value: "NAME",
        description: "for label-studio: the question (from_name) whose answers are wanted",
      },
    },
    async run({ given: { file, out, question, wide }, environment: { workingDirectory }, output }) {
      const write = rowsWriter(out);
      if (question !== undefined && tool.hasQuestions !== true) {
        throw new InputError(`Expected no --question for ${tool.name}, which asks none`);
      }
      await checkOut(out, { inputs: [file], workingDirectory });
      const sets = await foreignFiles(file, { tool, workingDirectory });
      const tables = sets.map((files) => tool.read(files, { question }));
      const long = tables.flatMap(({ rows }) => rows);
      const notes = tables.flatMap((table) => table.notes);
      const isScores = long.some((row) => "metric" in row);
      if (wide && !isScores)
        throw new InputError(`Expected scores for --wide but ${tool.name} has none`);
      const rows = wide ? wideRows(long) : long;
      if (rows.length === 0) {
        throw new InputError(`Expected results in ${file} but it has none`);
      }
      await writeFileAtomically(resolve(workingDirectory, out), await write(rows));
      const answer = isScores
        ? "score"
        : long.some((row) => "value" in row)
          ? "value"
          : "preferred";
      const unscored = long.filter((row) => row[answer] === null).length;
      output.resultJson({ tool: tool.name, rows: rows.length, unscored, out, notes });
      const missing = wide
        ? `; ${pluralText(unscored, "score")} ${unscored === 1 ? "is" : "are"} missing`
        : `, ${unscored} of them without an answer`;
      const unanswered = unscored === 0 ? "" : missing;
      output.result(`Wrote ${pluralText(rows.length, "row")} to ${out}${unanswered}.`);
      for (const note of notes) output.note(note);
      const next = wide
        ? ["analyze", "correlation", "FILE", "--human", human(long)]
        : tool.next(long);
      if (next !== undefined)
        output.nextCommand(next.map((word) => (word === "FILE" ? out : word)));
    },
  });
}

/** The column that is most likely people's, to be named in the next command; the first metric where none is. */
function human(rows: readonly ForeignRow[]): string {
  const metrics = [...new Set(rows.map(({ metric }) => String(metric)))];
  const others = Object.entries(rows[0] ?? {}).flatMap(([name, cell]) =>
    typeof cell === "number" && name !== "score" ? [name] : [],
  );
  const isPeoples = (name: string) => /human|rating|people/i.test(name);
  return [...metrics, ...others].find(isPeoples) ?? metrics[0] ?? "";
}
