import { resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { rowsWriter } from "../../../files/rows-file.js";
import { sessionPassages, sessionTable } from "../../../studies/coding/session-passages.js";
import {
  type AnswerTable,
  type TableName,
  tableNames,
} from "../../../studies/protocols/protocol.js";
import { participantQuality } from "../../../studies/quality/participant-quality.js";
import { scaleOf } from "../../../studies/study-status.js";
import { collect } from "../../../studies/tables/counted-answers.js";
import { exportTable } from "../../../studies/tables/export-table.js";
import { command } from "../../command-line/command.js";
import { studyArgument, studyAt } from "./study-argument.js";

export default command({
  description:
    "Writes the answers of a study as a table that a verb reads: agreement, contrastive, " +
    "correlation, attributes, stereotypes and preferences for analyze, calibrate, compare; labels, " +
    "as experts save them, for audit-sheet --collect. Of several answers to one item by one person " +
    "the latest counts; gold items, repeats and skipped items are left out. Outside ids are in no " +
    "table.",
  examples: [
    "touchstone study export studies/first --table agreement --out agreement.csv",
    "touchstone study export studies/first --table contrastive --out people.csv --without-excluded",
  ],
  arguments: {
    study: studyArgument,
    table: {
      kind: "choice",
      choices: [...tableNames, "notes"],
      required: true,
      description: "for which verb; notes: what facilitators noted and transcripts say",
    },
    out: {
      kind: "text",
      value: "FILE",
      required: true,
      description: "a .csv, .jsonl or .parquet file",
    },
    block: { kind: "text", value: "NAME", description: "the block, where several have this table" },
    "without-excluded": {
      kind: "switch",
      description: "leave out participants whom a rule of the study's file excludes",
    },
  },
  async run({ given, environment: { workingDirectory }, output }) {
    const write = rowsWriter(given.out);
    const home = await studyAt(given.study, workingDirectory);
    const { state, answers } = await collect(home);
    const excluded = participantQuality(home.study, answers)
      .filter(({ excludedBy }) => excludedBy.length > 0)
      .map(({ participant }) => participant);
    const { table } = given;
    const without = new Set(given["without-excluded"] ? excluded : []);
    const rows =
      table === "notes"
        ? sessionTable(
            sessionPassages(home, state).filter(({ participant }) => !without.has(participant)),
          )
        : exportTable(home.study, { answers, table, block: given.block, without });
    if (rows.length === 0) {
      throw new InputError(`Expected answers in ${given.study} but it has none for ${table} yet`, {
        hint: `See where it stands: touchstone study status ${given.study}`,
      });
    }
    await writeFileAtomically(resolve(workingDirectory, given.out), await write(rows));
    output.resultJson({ table, rows: rows.length, out: given.out, excluded });
    output.result(`Wrote ${rows.length} rows for ${table} to ${given.out}.`);
    if (excluded.length > 0 && !given["without-excluded"]) {
      output.note(
        `${excluded.length} ${excluded.length === 1 ? "participant breaks" : "participants break"} ` +
          "a rule of exclusion; write the table --without-excluded, too, and report both.",
      );
    }
    if (table === "notes") {
      output.nextCommand(["study", "code", given.study, "--out", "passages.csv"]);
      return;
    }
    const block =
      home.study.blocks.find(({ name }) => name === given.block) ?? home.study.blocks[0];
    const scale = block === undefined ? "nominal" : scaleOf(block);
    output.nextCommand(nextWords(table, { out: given.out, scale, rows }));
  },
});

function nextWords(
  table: TableName,
  {
    out,
    scale,
    rows,
  }: { readonly out: string; readonly scale: string; readonly rows: AnswerTable },
): readonly string[] {
  switch (table) {
    case "agreement":
      return ["analyze", "agreement", out, "--scale", scale];
    case "correlation":
      return ["analyze", "correlation", out, "--human", "human"];
    case "compare":
      return ["compare", out];
    case "calibrate":
      return ["calibrate", out, "--model", "lab:judge", "--out", "judge.json"];
    case "stereotypes": {
      const experts = Object.keys(rows[0] ?? {}).filter((column) => column.startsWith("p-"));
      const several = experts.length === 0 ? [] : ["--experts", experts.join(",")];
      return ["analyze", "stereotypes", out, ...several];
    }
    case "labels":
      return ["audit-sheet", "runs/audit", "--collect", out, "--out", "labelled.csv"];
    default:
      return ["analyze", table, out];
  }
}
