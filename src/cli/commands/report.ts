import { stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { writeFileAtomically } from "../../files/atomic.js";
import { RunFolder } from "../../files/run-folder.js";
import { sizeText } from "../../report/number-text.js";
import { printable } from "../../report/printable.js";
import { command } from "../command.js";
import { holdingOf } from "../run/benchmark-of.js";
import { writeConfusionTables } from "../run/confusion-tables.js";
import { makeReport } from "../run/made-report.js";
import { wrap } from "../wrap.js";

export default command({
  description:
    "Makes the report of a run: one HTML file that opens from the disk, asks nothing of a network " +
    "and runs no script. It begins with the verdict in words, then shows failure rates beside " +
    "their controls or the attribute swap test, claims of the paper that the run decides, images, " +
    "where metrics disagree most, what was unscored, and how every number was made.",
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
      description: "the file to write, .html (default: report.html in the run)",
    },
    tables: {
      kind: "text",
      value: "DIR",
      description:
        "of attribute confusion: also write the rows behind it, for analyze contrastive, correlation " +
        "and attributes",
    },
  },
  async run({ given, environment, output }) {
    const { workingDirectory } = environment;
    const directory = resolve(workingDirectory, given.run);
    const path = resolve(workingDirectory, given.out ?? join(directory, "report.html"));
    if (!/\.html?$/i.test(path)) {
      throw new InputError(
        `Expected a file that ends in .html for --out but received "${given.out}"`,
      );
    }
    const run = await RunFolder.open({ directory });
    const isConfusion = holdingOf(run.recipe) === "attribute-confusion";
    if (given.tables !== undefined && !isConfusion) {
      throw new InputError(
        "Expected a run of attribute-confusion for --tables but received another",
      );
    }
    output.progress("Drawing the conclusions …");
    const made = await makeReport({ run, name: given.run });
    output.progress("Drawing the plots …");
    await writeFileAtomically(path, await made.page());

    const { size } = await stat(path);
    const { verdict, example } = made;
    const shown = relative(workingDirectory, path);
    const sentences = verdict.map((sentence) => wrap(printable(sentence), 100));
    const tables =
      given.tables === undefined
        ? []
        : await writeConfusionTables(run, resolve(workingDirectory, given.tables));
    output.result(
      [
        ...[...sentences, "", `Report: ${shown} (${sizeText(size)})`],
        ...tables.map((file) => `Table: ${relative(workingDirectory, file)}`),
      ].join("\n"),
    );
    output.resultJson({ path, bytes: size, verdict, ...made.json, tables });
    const [swapTable] = tables;
    if (swapTable !== undefined) {
      output.nextCommand(`touchstone analyze contrastive ${relative(workingDirectory, swapTable)}`);
    } else if (example !== undefined) {
      output.nextCommand(`touchstone explain ${example.slice(0, 12)} --run ${given.run}`);
    }
  },
});
