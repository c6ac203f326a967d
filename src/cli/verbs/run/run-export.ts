import { join, resolve } from "node:path";
import { makingOfImages } from "../../../analysis/comparison/image-making.js";
import { InputError } from "../../../core/errors.js";
import { asJson, type JsonObject } from "../../../core/json.js";
import { placed } from "../../../core/models.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { RecordOf } from "../../../core/records.js";
import { stepId } from "../../../core/step.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { hasDuckDb } from "../../../files/duckdb/tables-session.js";
import { openStore, runPlace } from "../../../files/open-store.js";
import { exportRun } from "../../../runs/export-run.js";
import { command } from "../../command-line/command.js";
import { runArgument } from "../../command-line/shared-arguments.js";
import { imagesOfRecords } from "../../conclusions/making-below.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Configuration } from "../../configuration/configuration-schema.js";
import { configuredName } from "../../models/configured-name.js";
import { type Hosting, hostingFor } from "../../models/hosting.js";
import { table } from "../../terminal/terminal-table.js";

export default command({
  description:
    "Writes a run's records as Parquet for pandas, Polars, DuckDB or Spark: in the folder of --out a " +
    "folder for each kind of record (prompts, images, scores and so on), in it one for each step: " +
    "scores/step=STEP/part-00000.parquet. Lists and objects are JSON text; a record without an " +
    "answer has a reason. Of several attempts the latest is written. The folder is there once all is in it; " +
    "an export that was stopped goes on when the command is given again, from DIR.partial. With --recipe it writes " +
    "into the file of --out what another needs to make the images again: commands, generators with their settings, and " +
    "each image's text, seed and SHA-256.",
  examples: [
    "touchstone run export runs/demo --parquet --out tables",
    "touchstone run export runs/demo --recipe --out recipe.json",
  ],
  arguments: {
    run: runArgument,
    parquet: { kind: "switch", description: "write Parquet, which is the only form so far" },
    recipe: { kind: "switch", description: "write how the images were made, as JSON" },
    out: {
      kind: "text",
      required: true,
      value: "PLACE",
      description: "a new or empty folder; with --recipe a file",
    },
  },
  async run({ given, environment, output }) {
    const store = await openStore(runPlace(given.run, environment));
    if (given.recipe) {
      if (given.parquet) throw new InputError("Expected --parquet or --recipe but received both");
      const { settings } = await loadConfiguration(environment);
      const hosting = hostingFor(environment, { settings: settings.cache });
      const recipe = await recipeOfImages(store, { settings, hosting });
      const file = resolve(environment.workingDirectory, given.out);
      await writeFileAtomically(file, `${JSON.stringify(recipe, null, 2)}\n`);
      output.result(`Wrote ${given.out}`);
      output.resultJson({ out: given.out });
      output.nextCommand(["run", "status", given.run]);
      return;
    }
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

/**
 * What another needs to make a run's images again: the commands, each generator with its settings (as
 * touchstone.config.yaml has them; keys never stand there) and how it made them, and each image's text, seed
 * and SHA-256.
 */
async function recipeOfImages(
  store: Pick<RecordStore, "recipe" | "ofType">,
  { settings, hosting }: { readonly settings: Configuration; readonly hosting: Hosting },
): Promise<JsonObject> {
  const records: Extract<RecordOf<"image">, { status: "done" }>[] = [];
  for await (const record of store.ofType("image")) {
    if (record.status === "done") records.push(record);
  }
  const configured = settings.models ?? {};
  const generators = [];
  for (const { by, ...making } of makingOfImages(await imagesOfRecords(store))) {
    const facts = records.find((record) => placed(record) === by);
    const name = facts && (await configuredName(facts, { configured, hosting }));
    const entry = name === undefined ? undefined : configured[name];
    generators.push({ model: by, ...making, ...(entry === undefined ? {} : { settings: entry }) });
  }
  const { software, commands, seed } = store.recipe;
  return asJson({
    software,
    commands,
    seed,
    generators,
    images: records.map((record) => ({
      text: record.text,
      role: record.role,
      sample: record.sample,
      seed: record.seed,
      model: placed(record),
      sha256: record.image,
      ...(record.revisedPrompt === undefined ? {} : { revised_prompt: record.revisedPrompt }),
      ...(record.making === undefined ? {} : { making: record.making }),
    })),
  });
}
