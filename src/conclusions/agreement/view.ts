import type { AgreementConclusion } from "../../analysis/agreement/agreement.js";
import { fewestToTell } from "../../analysis/inference/few-clusters.js";
import { noSpread } from "../../analysis/inference/intervals.js";
import { boundAfter, whichSide } from "../../analysis/inference/one-sided-bound.js";
import { largestOf, smallestOf } from "../../core/arrays.js";
import { countText, estimateText, fixedText, pluralText } from "../../views/number-text.js";
import {
  type Cell,
  countColumn,
  numberColumn,
  percentColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";

/** From which alpha on Krippendorff's "Content Analysis" takes conclusions for tentative, for firm. */
const bars = { tentative: 0.667, firm: 0.8 } as const;
/** A matrix of more annotators is no longer read. */
const mostInMatrix = 8;
const weightings = { cohen: "no weights", linear: "linear", quadratic: "quadratic" } as const;
const named = Object.entries(weightings) as [keyof typeof weightings, string][];

export const agreementView = (found: AgreementConclusion): ViewWithData => ({
  verdict: verdict(found),
  tables: [overall(found), ...matrix(found), ...errors(found)],
  data: data(found),
  caveats: [
    ...found.warnings,
    ...undefinedKappa(found),
    ...(found.pairwise?.reasons.map((reason) => `A pair's kappa is undefined: ${reason}`) ?? []),
  ],
  method: `Brackets hold intervals: ${found.intervals.text}.`,
});

const undefinedKappa = ({ intervalsOf: { fleissKappa } }: AgreementConclusion) =>
  fleissKappa.value !== null || fleissKappa.reason === undefined
    ? []
    : [`Fleiss' kappa is undefined: ${fleissKappa.reason}`];

/** Whether the annotators agree beyond chance, and whether it is enough to build on. */
function verdict({ scale, annotators, n, intervalsOf }: AgreementConclusion): string {
  const { krippendorffAlpha: alpha } = intervalsOf;
  const { value, reason } = alpha;
  if (value === null) return `Nothing can be concluded about agreement: ${reason}.`;
  const who = annotators === null ? "Anonymous raters" : pluralText(annotators, "annotator");
  const chance = `Krippendorff's alpha (${scale}) is ${estimateText(alpha)} over ${pluralText(n, "item")}`;
  // Equal resamples have no spread: the one-sided bound stands in for the interval.
  const { low, high } =
    reason === noSpread ? boundAfter(value, { draws: n, within: [-1, 1] }) : alpha;
  if (low === null || high === null)
    return `${who}: ${chance}; ${reason ?? "one item tells no more"}.`;
  if (n < fewestToTell) return `${who}: ${tooFew}. ${chance}.`;
  const side = whichSide(alpha);
  if (side === "below") return `${who} agree less than chance would: ${chance}.`;
  if (side === undefined) return `${who}: ${tooFew}. ${chance}.`;
  return `${who} agree ${enough(low, high)}: ${chance}.`;
}

const tooFew = "these items can't tell their agreement from chance";

function enough(low: number, high: number): string {
  if (low >= bars.firm) return `enough to build on (alpha from ${fixedText(bars.firm, 3)})`;
  const tentative = `for tentative conclusions (alpha from ${fixedText(bars.tentative, 3)})`;
  if (high < bars.tentative) return `beyond chance, but too little ${tentative}`;
  if (low >= bars.tentative) return `enough ${tentative}`;
  return `beyond chance; whether alpha reaches ${fixedText(bars.tentative, 3)}, the usual minimum, is uncertain`;
}

/** A kappa of a pair, which has no interval. */
const kappaColumn = (title: string) => numberColumn(title, { decimals: 3 });

function overall({
  n,
  items,
  ratings,
  scale,
  intervalsOf,
  fleissForm,
  pairwise,
}: AgreementConclusion): ViewTable {
  const isGeneralised = fleissForm === "generalised";
  const whole = `${pluralText(ratings, "rating")} of ${pluralText(items, "item")}, ${countText(n)} rated twice or more`;
  const overPairs = (pairwise === null ? [] : named).map(([kind, title]): Cell[] => {
    const kappas = (pairwise?.[kind] ?? []).flatMap((row, a) =>
      row.flatMap((kappa, b) => (b > a && kappa !== null ? [kappa] : [])),
    );
    const sum = kappas.reduce((total, kappa) => total + kappa, 0);
    const mean = kappas.length === 0 ? null : sum / kappas.length;
    return [whole, `mean kappa of pairs, ${title}`, mean, rangeText(kappas)];
  });
  return {
    title: "Agreement",
    columns: [
      textColumn("ratings", { isGroup: true }),
      textColumn("statistic"),
      kappaColumn("value"),
      textColumn("pairs"),
    ],
    rows: [
      [whole, "majority share", intervalsOf.majorityShare, ""],
      [whole, `Fleiss' kappa${isGeneralised ? ", generalised" : ""}`, intervalsOf.fleissKappa, ""],
      [whole, `Krippendorff's alpha (${scale})`, intervalsOf.krippendorffAlpha, ""],
      ...overPairs,
    ],
    note:
      "Majority share is not corrected for chance; Fleiss' kappa knows no order of categories." +
      (isGeneralised ? " Generalised: for unequal numbers of ratings (Gwet 2014)." : ""),
  };
}

const rangeText = (values: readonly number[]) =>
  values.length < 2
    ? ""
    : `from ${fixedText(smallestOf(values), 3)} to ${fixedText(largestOf(values), 3)}`;

/** Kappas of all pairs as a square, where they are few enough to be read. */
function matrix({ scale, pairwise }: AgreementConclusion): ViewTable[] {
  if (pairwise === null) return [];
  const { annotators } = pairwise;
  if (annotators.length < 3 || annotators.length > mostInMatrix) return [];
  const kind = scale === "nominal" ? "cohen" : "quadratic";
  return [
    {
      title: "Pairs",
      columns: [
        textColumn("kappa", { isGroup: true }),
        textColumn("annotator"),
        ...annotators.map(kappaColumn),
      ],
      rows: annotators.map((annotator, a) => [
        `Cohen's kappa, ${weightings[kind]}`,
        annotator,
        ...annotators.map((_, b) => (a === b ? "" : (pairwise[kind][a]?.[b] ?? null))),
      ]),
      note: "On the items that both rated. The other weights are in --json.",
    },
  ];
}

/** How far the numbers of each two annotators lie apart; of words only how often they are the same. */
function errors({ pairwise }: AgreementConclusion): ViewTable[] {
  if (pairwise === null || pairwise.annotators.length > mostInMatrix) return [];
  const { annotators, n, exact, withinOne, meanAbsoluteError, bias } = pairwise;
  const rows = pairsOf(annotators).flatMap(({ annotator, other, of }) =>
    (of(n) ?? 0) === 0
      ? []
      : [[annotator, other, ...[n, exact, withinOne, meanAbsoluteError, bias].map(of)]],
  );
  if (rows.length === 0) return [];
  return [
    {
      title: "How far pairs differ",
      // Of two, such as a judge and a person, it is what the table was made for.
      isHeadline: annotators.length === 2,
      columns: [
        textColumn("annotator"),
        textColumn("and"),
        countColumn("items"),
        percentColumn("exact, %"),
        percentColumn("±1, %"),
        numberColumn("mean absolute error"),
        numberColumn("bias"),
      ],
      rows,
      note: "Bias: the second's mean rating minus the first's. –: categories are words.",
    },
  ];
}

type Square = readonly (readonly (number | null)[])[];

/** Each two annotators, and what a matrix holds of them. */
const pairsOf = (annotators: readonly string[]) =>
  annotators.flatMap((annotator, a) =>
    annotators.slice(a + 1).map((other, after) => ({
      annotator,
      other,
      of: (square: Square) => square[a]?.[a + 1 + after] ?? null,
    })),
  );

const statistics = [
  ...named.map(([kind]) => kind),
  ...(["exact", "withinOne", "meanAbsoluteError", "bias"] as const),
];

/** A row for each statistic over all annotators, then for each pair. */
const data = ({ n, intervalsOf, pairwise }: AgreementConclusion): ViewWithData["data"] => ({
  columns: [
    ...["statistic", "annotator", "other"].map((id) => textColumn(id)),
    countColumn("n"),
    numberColumn("value", { spread: "interval", ends: ["low", "high"] }),
  ],
  rows: [
    ...Object.entries(intervalsOf).map(([statistic, value]) => [statistic, null, null, n, value]),
    ...(pairwise === null ? [] : statistics).flatMap((statistic) =>
      pairsOf(pairwise?.annotators ?? []).map(({ annotator, other, of }) => [
        ...[statistic, annotator, other],
        ...[of(pairwise?.n ?? []) ?? 0, of(pairwise?.[statistic] ?? [])],
      ]),
    ),
  ],
});
