import { resolve } from "node:path";
import { cardDiff, type FigureChange } from "../../../analysis/trust-card/card-diff.js";
import { type CardFile, readCardFile } from "../../../conclusions/card/card-file.js";
import { statusText } from "../../../conclusions/card/view.js";
import { asJson } from "../../../core/json.js";
import { listText } from "../../../core/phrases.js";
import { readTextFile } from "../../../files/regular-file.js";
import { pluralText } from "../../../views/number-text.js";
import { countColumn, numberColumn, textColumn, type View } from "../../../views/view.js";
import { command } from "../../command-line/command.js";
import type { Environment } from "../../environment.js";
import { conclusionText } from "../../terminal/terminal-table.js";

export default command({
  description:
    "Says how trust cards changed between two files that card --out FILE.json wrote: for each metric and figure the " +
    "estimate before and now, the change with its interval, and whether it improved, worsened or is not shown to have " +
    "changed. --json: {old, new, figures, added, gone, verdict}.",
  examples: ["touchstone card diff card-before.json card.json"],
  arguments: {
    old: { kind: "positional", description: "the earlier card file" },
    new: { kind: "positional", description: "the later card file" },
  },
  async run({ given, environment, output }) {
    const [old, now] = [await read(given.old, environment), await read(given.new, environment)];
    const found = cardDiff(old.cards, now.cards);
    const view = viewOf(found, old, now);
    output.resultJson(
      asJson({ old: headOf(old), new: headOf(now), ...found, verdict: view.verdict }),
    );
    output.result(conclusionText(view, { style: output.style }));
  },
});

const read = async (file: string, { workingDirectory }: Environment) =>
  readCardFile(await readTextFile(resolve(workingDirectory, file)), file);

const headOf = ({ software, inputs = [] }: CardFile) => ({ software: software ?? null, inputs });

const hashesOf = ({ inputs = [] }: CardFile) => inputs.map(({ sha256 }) => sha256).sort();

function viewOf(
  { figures, added, gone }: ReturnType<typeof cardDiff>,
  old: CardFile,
  now: CardFile,
): View {
  const count = (state: FigureChange["state"]) =>
    figures.filter((one) => one.state === state).length;
  const [worse, better] = [count("worsened"), count("improved")];
  const hashes = [hashesOf(old), hashesOf(now)];
  const areSame = hashes[0]?.length !== 0 && String(hashes[0]) === String(hashes[1]);
  return {
    verdict:
      figures.length === 0
        ? "No figure was measured in both files."
        : `Of ${pluralText(figures.length, "figure")} ${worse} worsened and ${better} improved by more than chance.`,
    tables: [
      {
        title: "Figures",
        columns: [
          textColumn("metric", { isGroup: true }),
          textColumn("figure"),
          ...["before", "now"].map((title) => numberColumn(title)),
          ...["n before", "n now"].map((title) => countColumn(title)),
          numberColumn("change"),
          textColumn("state"),
          textColumn("status"),
        ],
        rows: figures.map((one) => [
          one.metric,
          one.title,
          one.old.estimate ?? null,
          one.new.estimate ?? null,
          one.old.n,
          one.new.n,
          one.change ?? null,
          one.state,
          one.old.status === one.new.status
            ? statusText[one.new.status]
            : `${statusText[one.old.status]}, now ${statusText[one.new.status]}`,
        ]),
        note: "Improved and worsened: the whole interval of the change lies on one side of 0.",
      },
    ],
    caveats: [
      ...(areSame ? ["Both files were made of the same inputs, by their hashes."] : []),
      ...(added.length === 0 ? [] : [`Only in the later file: ${listText(added)}.`]),
      ...(gone.length === 0 ? [] : [`Only in the earlier file: ${listText(gone)}.`]),
    ],
    method:
      "Intervals of changes: 95 %, by MOVER, the two estimates taken as independent, and not adjusted for their number.",
  };
}
