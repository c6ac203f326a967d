import { join, resolve } from "node:path";
import { stepId } from "../../../core/step.js";
import { hasDuckDb } from "../../../files/duckdb/duckdb-library.js";
import { openStore, runPlace } from "../../../files/open-store.js";
import { exportRun } from "../../../runs/export-run.js";
import { command } from "../../command-line/command.js";
import { runArgument } from "../../command-line/shared-arguments.js";
import { table } from "../../terminal/terminal-table.js";

export default command({
  description:
    "Writes a run's records as Parquet for pandas, Polars, DuckDB or Spark: in the folder of --out a " +
    "folder for each kind of record (prompts, images, scores and so on), in it one for each step: " +
    "scores/step=STEP/part-00000.parquet. Lists and objects are JSON text; a record without an " +
    "answer has a reason. Of several attempts the latest is written. The folder is there once all is in it; " +
    "an export that was stopped goes on when the command is given again, from DIR.partial.",
  examples: ["touchstone run export runs/demo --parquet --out tables"],
  arguments: {
    run: runArgument,
    parquet: { kind: "switch", description: "write Parquet, which is the only form so far" },
    out: { kind: "text", required: true, value: "DIR", description: "a new or empty folder" },
  },
  async run({ given, environment, output }) {
    const store = await openStore(runPlace(given.run, environment));
    const { tables } = await exportRun(store, resolve(environment.workingDirectory, given.out), {
      signal: environment.signal,
      onProgress: ({ step, records }) => output.progress(`${step}: ${records} records written`),
    });
    output.result(
      table(
        [{ title: "table" }, { title: "rows", align: "right" }, { title: "columns" }],
        Object.entries(tables).map(([name, { rows, columns }]) => [
          name,
          String(rows),
          columns.join(", "),
        ]),
        output.style.width,
      ),
    );
    output.resultJson({
      out: given.out,
      tables: Object.fromEntries(
        Object.entries(tables).map(([name, { rows, columns }]) => [
          name,
          { rows, columns: [...columns] },
        ]),
      ),
    });
    const scored = store.recipe.steps.findLast(({ produces }) => produces === "score");
    if (hasDuckDb()) output.nextCommand(["query", given.out, "--tables"]);
    else if (scored === undefined) output.nextCommand(["run", "status", given.run]);
    else {
      const file = `scores/step=${stepId(scored)}/part-00000.parquet`;
      output.nextCommand(["compare", join(given.out, file)]);
    }
  },
});
