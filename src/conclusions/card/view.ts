import type { TrustCard } from "../../analysis/trust-card/trust-card.js";
import type {
  CardFigure,
  FigureEstimate,
  FigureStatus,
} from "../../analysis/trust-card/trust-card-figure.js";
import { listText } from "../../core/phrases.js";
import { countText, estimateText, percentText } from "../../views/number-text.js";
import {
  type Cell,
  countColumn,
  numberColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";
import { besideVerdict, judgeCheckView } from "../judge-check/view.js";

/** Names of statuses, said of the metric, each with a sign, so that no colour is needed. */
export const statusText: Readonly<Record<FigureStatus, string>> = {
  holds: "✓ passes",
  fails: "✗ fails",
  undecided: "? undecided",
  measured: "· measured",
  "not-measured": "– not measured",
  "not-applicable": "– not applicable",
};

/** A value with its interval, in its unit. @example "12.3 % [8.1, 17.0]" */
export function figureText(estimate: FigureEstimate): string {
  const { unit, value } = estimate;
  if (value === null) return "undefined";
  if (unit === "share") return percentText(estimate).replace(/^(\S+)/, "$1 %");
  if (unit === "points") return percentText(estimate).replace(/^(\S+)/, "$1 points");
  if (unit === "seconds") {
    const inThousandths = (number: number | null) => (number === null ? null : number * 1000);
    const { low, high } = estimate;
    return estimateText({
      value: value * 1000,
      low: inThousandths(low),
      high: inThousandths(high),
    }).replace(/^(\S+)/, "$1 ms");
  }
  return `${unit === "dollars" ? "$" : ""}${estimateText(estimate)}`;
}

/** Estimates under a figure's value, and whether the expectation is of one of them. */
export const besideFigure = ({
  further,
  beside = [],
  judgedBy,
}: CardFigure): { readonly estimate: FigureEstimate; readonly isJudged: boolean }[] =>
  beside.flatMap((name) => {
    const estimate = further[name];
    return estimate === undefined ? [] : [{ estimate, isJudged: name === judgedBy }];
  });

/** @example "40 triplets" or "40 triplets, 2 unscored" */
export const countsText = ({ n, of, unscored }: CardFigure): string =>
  `${countText(n)} ${n === 1 ? singular(of) : of}${unscored === 0 ? "" : `, ${countText(unscored)} unscored`}`;

/** Series is its own plural. */
const singular = (of: string) => (of === "series" ? of : of.replace(/s$/, ""));

export const measuredFigures = ({ figures }: TrustCard): CardFigure[] =>
  Object.values(figures).filter(({ estimate }) => estimate !== undefined);

/** The figures that were not measured: those that lack the same thing together. */
export interface OtherFigures {
  readonly titles: readonly string[];
  readonly status: FigureStatus;
  readonly sentence: string;
}

export function otherFigures({ figures }: TrustCard): OtherFigures[] {
  const found = new Map<string, OtherFigures>();
  for (const { estimate, title, status, sentence } of Object.values(figures)) {
    if (estimate !== undefined) continue;
    const key = `${status}: ${sentence}`;
    const titles = [...(found.get(key)?.titles ?? []), title];
    found.set(key, { titles, status, sentence });
  }
  return [...found.values()];
}

/** Cards as people read them. */
export function cardsView(cards: readonly TrustCard[]): ViewWithData {
  return {
    verdict: cards.map(({ verdict }) => verdict).join("\n"),
    findings: notesOf(cards),
    tables: cards.flatMap((card) => [
      figuresTable(card),
      ...missingTable(card),
      ...judgeTables(card),
    ]),
    caveats: cards.flatMap(({ warnings, subject }) =>
      warnings.map((warning) => (cards.length === 1 ? warning : `${subject.name}: ${warning}`)),
    ),
    method: methodsText(cards),
    data: data(cards),
  };
}

/** What else is known of each, with its name where there are several; what its answers show as a judge's first. */
export const notesOf = (cards: readonly TrustCard[]): string[] =>
  cards.flatMap(({ notes, judgeCheck, subject, figures }) => {
    const { verdict, findings = [] } = judgeCheck ?? {};
    const judged =
      verdict === undefined
        ? []
        : [verdict, ...besideVerdict({ findings }).map(({ text }) => text)];
    const { agreement, positionBias } = figures;
    const isUnshown = findings.some(({ kind }) => kind === "below-baseline");
    const beside = [
      ...(isUnshown && agreement.status === "holds"
        ? ["Agreement passes against a coin only."]
        : []),
      ...(findings.some(({ kind }) => kind === "position") && positionBias.estimate !== undefined
        ? ["Position bias, above, is of its probabilities, not of its choices."]
        : []),
    ];
    const told = [...new Set([...judged, ...beside])].join(" ");
    return [...(told === "" ? [] : [told]), ...notes].map((note) =>
      cards.length === 1 ? note : `${subject.name}: ${note}`,
    );
  });

/** What its answers show as a judge's; none for what is no judge of pairs. */
export const judgeTables = ({ judgeCheck, subject }: TrustCard): ViewTable[] =>
  judgeCheck === undefined
    ? []
    : judgeCheckView(judgeCheck).tables.map((table) => ({
        ...table,
        title: `${table.title} of ${subject.name}`,
      }));

/**
 * A row for each figure of each card and each further number of it. atLeast and atMost are the one-sided
 * bounds of a share of none or all, whose resamples have no spread.
 */
const data = (cards: readonly TrustCard[]): ViewWithData["data"] => ({
  columns: [
    ...["metric", "figure", "statistic", "status"].map((id) => textColumn(id)),
    ...["n", "unscored"].map((id) => countColumn(id)),
    numberColumn("value", { spread: "interval", ends: ["low", "high"] }),
    numberColumn("bound", { spread: "range", ends: ["atLeast", "atMost"] }),
  ],
  rows: cards.flatMap(({ subject, figures }) =>
    Object.values(figures).flatMap(({ id, status, n, unscored, estimate, further }) => {
      const row = (name: string, of = estimate): Cell[] => [
        ...[subject.name, id, name, status, n, unscored],
        ...[of ?? null, of?.oneSided ?? null],
      ];
      return [
        row(estimate?.name ?? ""),
        ...Object.values(further).map((each) => row(each.name, each)),
      ];
    }),
  ),
});

/** How intervals were made, for each card where that differs. */
export function methodsText(cards: readonly TrustCard[]): string {
  const methods = new Set(cards.map(({ method }) => method));
  return methods.size <= 1
    ? (cards[0]?.method ?? "")
    : cards.map(({ subject, method }) => `${subject.name}: ${method}`).join(" ");
}

function figuresTable(card: TrustCard): ViewTable {
  return {
    title: `Trust card of ${card.subject.name}`,
    columns: [
      textColumn("figure"),
      textColumn("result", { id: "says" }),
      textColumn("value [95 % interval]"),
      textColumn("expected"),
      textColumn("of"),
      textColumn("what was found"),
    ],
    rows: measuredFigures(card).flatMap((figure) => [
      [
        figure.title,
        statusText[figure.status],
        figure.estimate === undefined ? "" : figureText(figure.estimate),
        figure.judgedBy === undefined ? (figure.expectation?.text ?? "") : "",
        countsText(figure),
        figure.sentence,
      ],
      ...besideFigure(figure).map(({ estimate, isJudged }) => [
        `${figure.title}: ${estimate.name}`,
        "",
        figureText(estimate),
        isJudged ? (figure.expectation?.text ?? "") : "",
        "",
        "",
      ]),
    ]),
    note:
      `From ${card.subject.source}. Passes: the interval lies wholly where it is expected; fails: wholly ` +
      "elsewhere; undecided: on both sides, or it is of fewer than six prompts.",
  };
}

function missingTable(card: TrustCard): ViewTable[] {
  const others = otherFigures(card);
  if (others.length === 0) return [];
  return [
    {
      title: "Not on this card",
      columns: [textColumn("figure"), textColumn("result", { id: "says" }), textColumn("why")],
      rows: others.map(({ titles, status, sentence }) => [
        listText(titles),
        statusText[status],
        sentence,
      ]),
      note: "These figures were not measured.",
    },
  ];
}

/** One sentence about several cards. */
export function cardsVerdict(cards: readonly TrustCard[]): string {
  const failing = cards.filter(({ figures }) =>
    Object.values(figures).some(({ status }) => status === "fails"),
  );
  const [one] = failing;
  const all = `${cards.length} metrics`;
  if (one === undefined) return `None of ${all} fails an expectation.`;
  return failing.length === 1
    ? `1 of ${all} fails an expectation: ${one.subject.name}.`
    : `${failing.length} of ${all} fail an expectation.`;
}
