import { relative, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { RecordStore } from "../../../core/record-store.js";
import { openStore, storePlace } from "../../../files/open-store.js";
import { brokenImages } from "../../../runs/broken-images.js";
import { argumentWords } from "../../command-line/argument-words.js";
import { command } from "../../command-line/command.js";
import { shellWords } from "../../command-line/shell-words.js";
import { tieArguments, tieOptions } from "../../conclusions/tie-arguments.js";
import { holdingOf } from "../run/benchmark-of.js";
import { writeConfusionTables } from "../run/confusion-tables.js";
import { makeReport } from "../run/made-report.js";
import { unfilteredArgument } from "../run/unfiltered-argument.js";
import { reportLine, verdictText, writeReport } from "../run/written-report.js";

export default command({
  description:
    "Makes the report of a run: one HTML file that opens from the disk, loads nothing from a " +
    "network and runs no script. It starts with the verdict, then shows failure rates beside " +
    "their controls or the attribute swap test, the paper's claims, images, the largest " +
    "disagreements between metrics, unscored records, and how every number was made.",
  examples: [
    "touchstone report runs/demo",
    "touchstone report runs/demo --out report.html",
    "touchstone report runs/outfits --tables tables",
  ],
  arguments: {
    run: { kind: "positional", description: "the folder of the run" },
    out: {
      kind: "text",
      value: "FILE",
      description: "the file to write (.html); default: report.html in the run",
    },
    tables: {
      kind: "text",
      value: "DIR",
      description:
        "for attribute confusion: also write the rows behind the report: swap.csv (images that " +
        "the swap test counts) and swap-all.csv (all images), for card and analyze contrastive; " +
        "correlation.csv, correlation-precision.csv and correlation-recall.csv, for analyze " +
        "correlation --target f1, precision and recall; questions-METRIC.csv, for analyze " +
        "attributes",
    },
    ...unfilteredArgument,
    ...tieArguments,
  },
  async run({ given, environment, output }) {
    const { workingDirectory } = environment;
    const place = storePlace(given.run, workingDirectory);
    if (given.out !== undefined && !/\.html?$/i.test(given.out)) {
      throw new InputError(
        `Expected a file that ends in .html for --out but received "${given.out}"`,
      );
    }
    const run = await openStore(place);
    const holding = holdingOf(run.recipe);
    const isConfusion = holding === "attribute-confusion";
    if (given.tables !== undefined && !isConfusion) {
      throw new InputError(
        "Expected a run of attribute-confusion for --tables but received another",
      );
    }
    const ties = tieOptions(given);
    if (ties.tieTolerance !== undefined && holding === "stereotypes") {
      throw new InputError(
        "Expected no --tie-tolerance for a run of stereotypes: an audit compares no two scores",
      );
    }
    output.progress("Reading the images …");
    await refuseBrokenImages(run, given.run);
    if (given.unfiltered && holding === "stereotypes") {
      throw new InputError(
        "Expected no --unfiltered for a run of stereotypes: an audit filters nothing",
      );
    }
    output.progress("Drawing the conclusions …");
    const { unfiltered } = given;
    const made = await makeReport({ run, name: given.run, unfiltered, ...ties });
    output.progress("Drawing the plots …");
    const { run: name, out } = given;
    const written = await writeReport(made, { run: name, out, environment });
    const { verdict, example } = made;
    const tables =
      given.tables === undefined
        ? undefined
        : await writeConfusionTables(run, resolve(workingDirectory, given.tables), { unfiltered });
    output.result(
      [
        ...[verdictText(verdict), "", reportLine(written)],
        ...(tables?.files ?? []).map((file) => `Table: ${relative(workingDirectory, file)}`),
      ].join("\n"),
    );
    const { path, bytes } = written;
    output.resultJson({ path, bytes, verdict, ...made.json, tables: tables?.files ?? [] });
    if (tables !== undefined) {
      const { swaps, direction } = tables;
      // A card of a table takes one direction for all of its metrics; that of a run has each one's.
      const words =
        direction === undefined
          ? [given.run, ...(unfiltered ? ["--unfiltered"] : [])]
          : [
              relative(workingDirectory, swaps),
              ...(direction === "lower" ? ["--direction", "lower"] : []),
            ];
      output.nextCommand(["card", ...words, ...argumentWords(tieArguments, given)]);
    } else if (example !== undefined) {
      output.nextCommand(["explain", example.slice(0, 12), "--run", given.run]);
    }
  },
});

/** Nothing is said of images that are not those that were scored. */
async function refuseBrokenImages(run: RecordStore, name: string): Promise<void> {
  const broken = await brokenImages(run.blobs, run.ofType("image"));
  if (broken.length === 0) return;
  throw new InputError(
    `Expected the images of ${name} as they were collected, but ${broken.length} ` +
      `${broken.length === 1 ? "is" : "are"} gone or damaged`,
    {
      problems: broken.map(({ key, problem }) => `record ${key}: ${problem}`),
      hint: `Put them back, or make them anew: ${shellWords(["touchstone", "run", "resume", name])}`,
    },
  );
}
