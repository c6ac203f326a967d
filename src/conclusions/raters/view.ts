import type { RaterConclusion, RaterFound } from "../../analysis/raters/raters.js";
import { listText } from "../../core/phrases.js";
import type { CellTable } from "../../tables/cell-table.js";
import { fixedText, pluralText } from "../../views/number-text.js";
import {
  countColumn,
  numberColumn,
  percentColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";

export const titlesOfModels: Readonly<Record<RaterConclusion["model"], string>> = {
  majority: "majority vote",
  mace: "MACE",
  glad: "GLAD",
  ordinal: "shifted thresholds",
  "dawid-skene": "Dawid and Skene",
};

/** Raters by reliability, the least reliable first. */
export const byReliability = ({ raters }: Pick<RaterConclusion, "raters">) =>
  Object.entries(raters)
    .map(([name, found]) => ({ name, ...found }))
    .sort((a, b) => (a.reliability.value ?? 0) - (b.reliability.value ?? 0));

export const ratersView = (found: RaterConclusion): ViewWithData => ({
  verdict: verdict(found),
  findings: findings(found),
  tables: [raters(found), models(found)],
  data: data(found),
  caveats: [
    ...found.warnings,
    "If most raters of an item make the same error, its likely answer is wrong, too.",
  ],
  method:
    `Reliability: the share of a rater's answers that is expected to be right by ${titlesOfModels[found.model]}. ` +
    `Brackets hold intervals: ${found.intervals.text}, the model fitted to each.`,
});

function verdict(found: RaterConclusion): string {
  const all = byReliability(found);
  const [least] = all;
  const most = all.at(-1);
  if (least === undefined || most === undefined) return "Nothing can be concluded: nobody rated.";
  const worse = named(all, ({ worseThanGuessing }) => worseThanGuessing);
  const share = ({ name, reliability: { value } }: typeof least) =>
    `${fixedText((value ?? 0) * 100, 1)} % (${name})`;
  const bad =
    worse.length > 1
      ? `${worse.length} of ${all.length} raters are worse than guessing`
      : `${worse[0] ?? "Nobody"} is ${worse.length === 0 ? "shown " : ""}worse than guessing`;
  return (
    `${bad}; reliability ${share(least)} to ${share(most)}; ` +
    `for ${found.changed} of ${found.items} items the likeliest answer is not the majority's.`
  );
}

const named = (all: readonly (RaterFound & { name: string })[], is: (one: RaterFound) => boolean) =>
  all.filter(is).map(({ name }) => name);

function findings(found: RaterConclusion): string[] {
  const all = byReliability(found);
  const unsure = named(all, (one) => !one.betterThanGuessing && !one.worseThanGuessing);
  const constant = named(all, ({ fastAndConstant }) => fastAndConstant === true);
  const copies = all.flatMap(({ name, copies: other }) =>
    other !== undefined && name < other ? [`${name} and ${other}`] : [],
  );
  const { without, model, models } = found;
  const chosen = models[model]?.heldOutLogLikelihood ?? null;
  const plain = models.majority?.heldOutLogLikelihood ?? null;
  return [
    ...(unsure.length > 0 ? [`Not shown to be better than guessing: ${listText(unsure)}.`] : []),
    ...copies.map((pair) => `${pair} give the same answers, errors too: one may copy the other.`),
    ...(constant.length > 0
      ? [`Three times as fast as others, and nearly always the same answer: ${listText(constant)}.`]
      : []),
    ...(without === undefined
      ? []
      : [
          `Without ${listText(without.raters)}, ${pluralText(without.changed, "answer")} would change; nobody was left out.`,
        ]),
    ...(chosen === null || plain === null || chosen <= plain
      ? []
      : [
          `${titlesOfModels[model]} foretells unseen ratings best: log-likelihood ${fixedText(chosen, 3)} a rating, majority vote ${fixedText(plain, 3)}.`,
        ]),
  ];
}

function raters(found: RaterConclusion): ViewTable {
  const all = byReliability(found);
  const isTimed = all.some(({ seconds }) => seconds !== undefined);
  return {
    title: "Raters",
    isHeadline: true,
    columns: [
      textColumn("rater"),
      countColumn("ratings"),
      percentColumn("reliability, %", { spread: "interval" }),
      percentColumn("guessing, %"),
      ...(isTimed ? [numberColumn("median seconds")] : []),
      textColumn("note"),
    ],
    rows: all.map(({ name, n, reliability, guessing, seconds, ...one }) => [
      name,
      n,
      reliability,
      guessing,
      ...(isTimed ? [seconds ?? null] : []),
      noteOf(one),
    ]),
    note: "Guessing: what a rater would reach by giving the same answers as often, whatever the image.",
  };
}

function noteOf({
  worseThanGuessing,
  betterThanGuessing,
  copies,
  fastAndConstant,
}: Omit<RaterFound, "n" | "reliability" | "guessing">): string {
  return [
    ...(worseThanGuessing ? ["worse than guessing"] : []),
    ...(!worseThanGuessing && !betterThanGuessing ? ["may be guessing"] : []),
    ...(copies === undefined ? [] : [`same answers as ${copies}`]),
    ...(fastAndConstant ? ["fast, always the same answer"] : []),
  ].join("; ");
}

const models = (found: RaterConclusion): ViewTable => ({
  title: "Models",
  columns: [textColumn("model"), numberColumn("held-out log-likelihood", { decimals: 4 })],
  rows: Object.entries(found.models).map(([name, { heldOutLogLikelihood }]) => [
    titlesOfModels[name as RaterConclusion["model"]],
    heldOutLogLikelihood,
  ]),
  note: "Nats a rating, over ratings that the model was not fitted to; higher is better.",
});

/** A row for each rater. */
const data = (found: RaterConclusion): ViewWithData["data"] => ({
  columns: [
    textColumn("annotator"),
    countColumn("n"),
    numberColumn("reliability", { spread: "interval" }),
    numberColumn("guessing"),
    textColumn("worseThanGuessing"),
    textColumn("copies"),
  ],
  rows: byReliability(found).map(
    ({ name, n, reliability, guessing, worseThanGuessing, copies }) => [
      name,
      n,
      reliability,
      guessing,
      String(worseThanGuessing),
      copies ?? null,
    ],
  ),
});

/** What --answers-out writes: a row for each item. */
export const answerTable = ({ answers }: RaterConclusion): CellTable => ({
  columns: ["item", "answer", "probability"],
  rows: Object.entries(answers).map(([item, { value, probability }]) => [item, value, probability]),
});
