import { resolve } from "node:path";
import { independentChange } from "../../../analysis/comparison/model-change.js";
import type { TrustCard } from "../../../analysis/trust-card/trust-card.js";
import {
  type CardFigure,
  type FigureId,
  figureIds,
  judgedEstimate,
} from "../../../analysis/trust-card/trust-card-figure.js";
import { type CardFile, readCardFile } from "../../../conclusions/card/card-file.js";
import { statusText } from "../../../conclusions/card/view.js";
import { asJson } from "../../../core/json.js";
import { listText } from "../../../core/phrases.js";
import { readTextFile } from "../../../files/regular-file.js";
import type { Estimate } from "../../../stats/estimate.js";
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

const stateText = ({ state, change }: FigureChange) => {
  if (state === "not-shown") return "inconclusive";
  if (state !== "not-comparable") return state;
  return change === undefined ? "not in both" : "no interval";
};

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
  const isSame = ({ change }: FigureChange) => change !== undefined && (change.value ?? 0) === 0;
  if (areSame && figures.length > 0 && figures.every(isSame)) {
    const verdict = "Nothing changed: both files were made of the same inputs.";
    return { verdict, tables: [], caveats: [], method: "" };
  }
  return {
    verdict:
      figures.length === 0
        ? "No figure was measured in both files."
        : `Of ${pluralText(figures.length, "figure")}, ${worse} worsened and ${better} improved significantly.`,
    tables: [
      {
        title: "Figures",
        columns: [
          textColumn("metric", { isGroup: true }),
          textColumn("figure"),
          numberColumn("change"),
          textColumn("state"),
          ...["now", "before"].map((title) => numberColumn(title)),
          ...["n now", "n before"].map((title) => countColumn(title)),
          textColumn("status"),
        ],
        rows: figures.map((one) => [
          one.metric,
          one.title,
          one.change ?? null,
          stateText(one),
          one.new.estimate ?? null,
          one.old.estimate ?? null,
          one.new.n,
          one.old.n,
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

/** A figure of a metric in two cards. */
interface FigureChange {
  readonly metric: string;
  readonly id: FigureId;
  readonly title: string;
  readonly old: Side;
  readonly new: Side;
  /** New minus old, the two taken as independent; missing where either was not measured. */
  readonly change?: Estimate;
  /**
   * By the interval of the change and the side that is expected: `improved`, `worsened`; `moved` where nothing is
   * expected or both sides are wrong; `not-shown` where it holds 0; `not-comparable` where either was not measured.
   */
  readonly state: "improved" | "worsened" | "moved" | "not-shown" | "not-comparable";
}

interface Side {
  readonly status: CardFigure["status"];
  readonly n: number;
  readonly unscored: number;
  readonly estimate?: Estimate & { readonly unit: string };
}

interface CardDiff {
  readonly figures: readonly FigureChange[];
  /** Metrics of one file alone. */
  readonly added: readonly string[];
  readonly gone: readonly string[];
}

/**
 * How trust cards changed, figure by figure. Intervals of changes are MOVER's for independent estimates (Zou and
 * Donner, "Construction of Confidence Limits about Effect Measures", 2008); of the same rows they are wider than is
 * due, so that no change is claimed too soon.
 */
function cardDiff(old: readonly TrustCard[], now: readonly TrustCard[]): CardDiff {
  const names = (cards: readonly TrustCard[]) => cards.map(({ subject }) => subject.name);
  const [before, after] = [names(old), names(now)];
  return {
    figures: now.flatMap((card) => {
      const its = old.find(({ subject }) => subject.name === card.subject.name);
      return its === undefined ? [] : figureIds.flatMap((id) => changesOf(id, its, card));
    }),
    added: after.filter((name) => !before.includes(name)),
    gone: before.filter((name) => !after.includes(name)),
  };
}

function changesOf(id: FigureId, old: TrustCard, now: TrustCard): FigureChange[] {
  // Files of other versions may lack figures.
  const [one, other]: (CardFigure | undefined)[] = [old.figures[id], now.figures[id]];
  if (one === undefined || other === undefined) return [];
  const [before, after] = [judgedEstimate(one), judgedEstimate(other)];
  if (before === undefined && after === undefined) return [];
  const shared = {
    metric: now.subject.name,
    id,
    title: other.title,
    old: sideOf(one),
    new: sideOf(other),
  };
  if (before === undefined || after === undefined) return [{ ...shared, state: "not-comparable" }];
  const change = independentChange(after, before, "higher");
  if (change.low === null || change.high === null) {
    return [{ ...shared, change, state: "not-comparable" }];
  }
  const isUp = change.low > 0;
  const state = isUp || change.high < 0 ? towards(other, isUp) : "not-shown";
  return [{ ...shared, change, state }];
}

/** Whether going up or down is what the expectation hopes for. */
function towards({ expectation }: CardFigure, isUp: boolean) {
  const [low, high] = [expectation?.low, expectation?.high];
  if ((low === undefined) === (high === undefined)) return "moved";
  return isUp === (low !== undefined) ? "improved" : "worsened";
}

function sideOf(figure: CardFigure): Side {
  const { status, n, unscored } = figure;
  const found = judgedEstimate(figure);
  return { status, n, unscored, ...(found && { estimate: found }) };
}
