import { resolve } from "node:path";
import { evidenceVerdict, evidenceView } from "../../../conclusions/evidence/view.js";
import { InputError } from "../../../core/errors.js";
import type { Given } from "../../../core/options.js";
import { evidenceJson, foundFor, viewOfMetric } from "../../../evidence/found.js";
import { shippedFigures } from "../../../evidence/shipped-figures.js";
import { dataCells } from "../../../views/view.js";
import { command } from "../../command-line/command.js";
import { checkOpen, openWhere } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";
import { fileWriter } from "../../conclusions/conclusion-file.js";
import { conclusionText } from "../../terminal/terminal-table.js";
import { evidenceArguments } from "./evidence-arguments.js";

export default command({
  description:
    "Says which metric or judge agrees with people, over published sets of people's answers: from figures " +
    "that are part of this program, or recomputed from files that you have. Nothing is downloaded.",
  examples: [
    "touchstone evidence",
    "touchstone evidence --for edits",
    "touchstone evidence --metric CLIPScore",
    "touchstone evidence --from data --only tifa160",
  ],
  arguments: evidenceArguments,
  async run(invocation) {
    const { given, environment, output, words } = invocation;
    if (given.only !== undefined && given.from === undefined)
      throw new InputError("Expected --from DIR beside --only");
    checkOpen(given);
    const write = await fileWriter({ out: given.out, file: [] }, environment);
    const { title, view, json, figure } =
      given.from === undefined
        ? shipped(given)
        : await (await import("./recomputed.js")).recomputed(invocation, given.from);
    const line = shellWords(["touchstone", ...words({ out: undefined, open: false })]);
    await write({
      json,
      view,
      command: line,
      table: () => dataCells(view.data),
      async page() {
        const { conclusionPage } = await import("../../../report/pages/conclusion-page.js");
        return conclusionPage(view, { title, command: line, figure: await figure() });
      },
    });
    if (given.json) output.resultJson(json());
    else output.result(conclusionText(view, { style: output.style, details: given.details }));
    if (given.out !== undefined)
      output.note(`Wrote ${resolve(environment.workingDirectory, given.out)}`);
    openWhere(given, environment);
    if (given.from !== undefined) output.nextCommand(["evidence"]);
    else if (given.out === undefined) output.nextCommand(words({ out: "evidence.html" }));
    else output.nextCommand(["evidence", "sets"]);
  },
});

/** Figures that are part of this program. */
function shipped(given: Given<typeof evidenceArguments>) {
  const { version, sets } = shippedFigures();
  const found = foundFor(given.for, sets);
  return {
    title: "Published evidence",
    view: given.metric === undefined ? evidenceView(found) : viewOfMetric(given.metric, sets),
    json: () => evidenceJson(sets, version, evidenceVerdict(found)),
    figure: async () =>
      (await import("../../../conclusions/evidence/figure.js")).forestFigure(found),
  };
}
