import type { AgreementConclusion } from "../../analysis/agreement/agreement.js";
import { fewestToTell } from "../../analysis/inference/fewest-to-tell.js";
import { noSpread } from "../../analysis/inference/intervals.js";
import { boundAfter } from "../../analysis/inference/one-sided-bound.js";
import { whichSide } from "../../analysis/inference/which-side.js";
import { largestOf, smallestOf } from "../../core/extremes.js";
import type { Estimate } from "../../stats/estimate.js";
import { numberColumns } from "../../views/number-columns.js";
import {
  countText,
  estimateText,
  fixedText,
  percentText,
  pluralText,
} from "../../views/number-text.js";
import type { ReadableConclusion, TextTable } from "../../views/text-table.js";

/** From which alpha on Krippendorff's "Content Analysis" takes conclusions for tentative, for firm. */
const bars = { tentative: 0.667, firm: 0.8 } as const;
/** A matrix of more annotators is no longer read. */
const mostInMatrix = 8;

/** An agreement conclusion as people read it. */
export function readableAgreement(
  conclusion: AgreementConclusion,
  verdict = agreementVerdict(conclusion),
): ReadableConclusion {
  const { warnings, intervals, pairwise } = conclusion;
  return {
    verdict,
    tables: [overallTable(conclusion), ...pairTables(conclusion), ...errorTables(conclusion)],
    warnings: [
      ...warnings,
      ...undefinedText(conclusion.intervalsOf.fleissKappa),
      ...(pairwise?.reasons.map((reason) => `A pair's kappa is undefined: ${reason}`) ?? []),
    ],
    method: `Brackets hold intervals: ${intervals.text}.`,
  };
}

/** Whether the annotators agree beyond chance, and whether it is enough to build on. */
export function agreementVerdict(conclusion: AgreementConclusion): string {
  const { scale, annotators, n } = conclusion;
  const alpha = conclusion.intervalsOf.krippendorffAlpha;
  const { value, reason } = alpha;
  if (value === null) return `Nothing can be concluded about agreement: ${reason}.`;
  const who = annotators === null ? "Anonymous raters" : pluralText(annotators, "annotator");
  const chance = `Krippendorff's alpha (${scale}) is ${estimateText(alpha)} over ${pluralText(n, "item")}`;
  // Where no item is disagreed on no resample is: the bound tells how high alpha is.
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
  return `beyond chance, whether enough ${tentative} is inconclusive`;
}

function overallTable({
  n,
  items,
  ratings,
  scale,
  intervalsOf,
  fleissForm,
  pairwise,
}: AgreementConclusion): TextTable {
  const isGeneralised = fleissForm === "generalised";
  const statistics = [
    ["majority share", estimateText(intervalsOf.majorityShare), ""],
    [
      `Fleiss' kappa${isGeneralised ? ", generalised" : ""}`,
      estimateText(intervalsOf.fleissKappa),
      "",
    ],
    [`Krippendorff's alpha (${scale})`, estimateText(intervalsOf.krippendorffAlpha), ""],
    ...(pairwise === null ? [] : kinds).map(({ name, title }) => {
      const kappas = upperTriangle(pairwise?.[name] ?? []);
      const sum = kappas.reduce((total, kappa) => total + kappa, 0);
      const mean = kappas.length === 0 ? "–" : fixedText(sum / kappas.length, 3);
      const range = kappas.length < 2 ? "" : rangeText(kappas);
      return [`mean kappa of pairs, ${title}`, mean, range];
    }),
  ];
  return {
    title: "Agreement",
    columns: [
      { title: "ratings" },
      { title: "statistic" },
      { title: "value", align: "right" },
      { title: "pairs" },
    ],
    rows: statistics.map((cells, at) => [
      at === 0
        ? `${pluralText(ratings, "rating")} of ${pluralText(items, "item")}, ${countText(n)} rated twice or more`
        : "",
      ...cells,
    ]),
    note:
      "Majority share is not corrected for chance; Fleiss' kappa knows no order of categories." +
      (isGeneralised ? " Generalised: for unequal numbers of ratings (Gwet 2014)." : ""),
  };
}

const kinds = [
  { name: "cohen", title: "no weights" },
  { name: "linear", title: "linear" },
  { name: "quadratic", title: "quadratic" },
] as const;

function pairTables({ scale, pairwise }: AgreementConclusion): TextTable[] {
  if (pairwise === null) return [];
  const { annotators } = pairwise;
  if (annotators.length < 3 || annotators.length > mostInMatrix) return [];
  const { name, title } = scale === "nominal" ? kinds[0] : kinds[2];
  return [
    {
      title: "Pairs",
      columns: [
        { title: "kappa" },
        { title: "annotator" },
        ...annotators.map((annotator) => ({ title: annotator, align: "right" as const })),
      ],
      rows: annotators.map((annotator, a) => [
        a === 0 ? `Cohen's kappa, ${title}` : "",
        annotator,
        ...annotators.map((_, b) => {
          const kappa = pairwise[name][a]?.[b] ?? null;
          if (a === b) return "";
          return kappa === null ? "–" : fixedText(kappa, 3);
        }),
      ]),
      note: "On the items that both rated. The other weights are in --json.",
    },
  ];
}

/** How far the numbers of each two annotators lie apart; of words only how often they are the same. */
function errorTables({ pairwise }: AgreementConclusion): TextTable[] {
  if (pairwise === null || pairwise.annotators.length > mostInMatrix) return [];
  const { annotators, n, exact, withinOne, meanAbsoluteError, bias } = pairwise;
  const number = (value: number | null | undefined) =>
    estimateText({ value: value ?? null, low: null, high: null });
  const percent = (value: number | null | undefined) =>
    percentText({ value: value ?? null, low: null, high: null });
  const rows = annotators.flatMap((one, a) =>
    annotators.flatMap((other, b) =>
      b <= a || (n[a]?.[b] ?? 0) === 0
        ? []
        : [
            [
              one,
              other,
              countText(n[a]?.[b] ?? 0),
              percent(exact[a]?.[b]),
              percent(withinOne[a]?.[b]),
              number(meanAbsoluteError[a]?.[b]),
              number(bias[a]?.[b]),
            ],
          ],
    ),
  );
  return rows.length === 0
    ? []
    : [
        {
          title: "How far pairs differ",
          // Of two, such as a judge and a person, it is what the table was made for.
          isHeadline: annotators.length === 2,
          columns: [
            { title: "annotator" },
            { title: "and" },
            ...numberColumns("items", "exact, %", "±1, %", "mean absolute error", "bias"),
          ],
          rows,
          note: "Bias: the second's mean rating minus the first's. –: categories are words.",
        },
      ];
}

const undefinedText = ({ value, reason }: Estimate) =>
  value !== null || reason === undefined ? [] : [`Fleiss' kappa is undefined: ${reason}`];

const upperTriangle = (matrix: readonly (readonly (number | null)[])[]) =>
  matrix.flatMap((row, a) => row.flatMap((kappa, b) => (b > a && kappa !== null ? [kappa] : [])));

const rangeText = (values: readonly number[]) =>
  `from ${fixedText(smallestOf(values), 3)} to ${fixedText(largestOf(values), 3)}`;
