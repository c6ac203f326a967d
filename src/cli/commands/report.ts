import { stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { writeFileAtomically } from "../../files/atomic.js";
import { RunFolder } from "../../files/run-folder.js";
import { sizeText } from "../../report/number-text.js";
import { printable } from "../../report/printable.js";
import { readPrototypicalityReport } from "../../report/read-prototypicality-report.js";
import { renderPrototypicalityReport } from "../../report/render-prototypicality-report.js";
import { reportVerdict } from "../../report/report-verdict.js";
import { command } from "../command.js";
import { wrap } from "../wrap.js";

export default command({
  description:
    "Makes the report of a run: one HTML file that opens from the disk, asks nothing of a network " +
    "and runs no script. It begins with the verdict in words, then shows failure rates beside " +
    "their controls, scores and margins, pairs of images, what was unscored, and how every number " +
    "was made.",
  examples: ["touchstone report runs/demo", "touchstone report runs/demo --out report.html"],
  arguments: {
    run: { kind: "positional", description: "the folder of the run" },
    out: {
      kind: "text",
      value: "FILE",
      description: "the file to write, .html (default: report.html in the run)",
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
    output.progress("Drawing the conclusions …");
    const report = await readPrototypicalityReport({ run, name: given.run });
    output.progress("Drawing the plots …");
    await writeFileAtomically(path, await renderPrototypicalityReport(report));

    const { size } = await stat(path);
    const verdict = reportVerdict(report);
    const [firstCard] = report.cards;
    const shown = relative(workingDirectory, path);
    const sentences = verdict.map((sentence) => wrap(printable(sentence), 100));
    output.result(`${sentences.join("\n")}\n\nReport: ${shown} (${sizeText(size)})`);
    output.resultJson({ path, bytes: size, verdict, cards: report.cards.length });
    const key = firstCard?.scores[0]?.correct.key;
    if (key !== undefined) {
      output.nextCommand(`touchstone explain ${key.slice(0, 12)} --run ${given.run}`);
    }
  },
});
