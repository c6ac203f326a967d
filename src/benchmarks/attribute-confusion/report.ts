import { asJson } from "../../core/json.js";
import type { Chapter, Part } from "../../views/report.js";
import {
  countColumn,
  named,
  numberColumn,
  percentColumn,
  textColumn,
  type ViewTable,
} from "../../views/view.js";
import { claimsChapter } from "../chapters/claims.js";
import { galleryChapter } from "../chapters/gallery.js";
import { methodsChapter } from "../chapters/methods.js";
import { unscoredChapter } from "../chapters/unscored.js";
import type { BenchmarkReport } from "../report.js";
import { stripsChapter, swapExamples } from "./cards-view.js";
import type { ConfusionReport, LocalizedVariant, SwapSelection } from "./conclusion.js";
import { correlationChapter } from "./correlation-view.js";
import { swapChapter, swapFigure, swapTable, swapTableBy } from "./swap-view.js";
import { confusionVerdict } from "./verdict.js";

/** Shows what an attribute confusion run comes to. */
export function confusionReport(found: ConfusionReport): BenchmarkReport {
  const verdict = confusionVerdict(found);
  const [headline] = found.selections;
  const pair = swapExamples(found);
  return {
    verdict,
    example: found.strips?.strips[0]?.key,
    json: () => ({
      claims: asJson(found.claims.findings),
      selections: asJson(found.selections),
      correlations: found.correlations === undefined ? null : asJson(found.correlations),
      variants: asJson(found.variants),
      generators: asJson(found.generators),
      differences: asJson(found.differences),
      warnings: found.warnings,
      isUnreferenced: found.isUnreferenced,
      circular: asJson(found.circular),
    }),
    pair,
    isFromLab: found.fromLab,
    overview: () => ({
      figure: swapFigure(found),
      tables: [
        swapTable(found, headline),
        swapTableBy(found, headline, "generators"),
        swapTableBy(found, headline, "sets"),
      ].filter(({ rows }) => rows.length > 0),
    }),
    report: () => ({
      title: `Attribute confusion report: ${found.name}`,
      verdict,
      isFromLab: found.fromLab,
      figure: swapFigure(found),
      example: pair,
      caveats: found.warnings,
      method: "Brackets hold 95 % intervals, clustered by description.",
      chapters: [
        swapChapter(found),
        correlationChapter(found),
        stripsChapter(found),
        galleryChapter(found.gallery),
        ablations(found),
        claimsChapter(found.claims),
        unscoredChapter(found.unscored),
        methodsChapter({ ...found, ...tieRuleOf(headline) }),
      ],
    }),
  };
}

const tieRuleOf = ({ swap: { tieRule, tieTolerance } }: SwapSelection) => ({
  tieRule,
  tieTolerance,
});

/** L-VQAScore with one part replaced: how the rest of the image is treated, who answers, or who localises. */
const ablations = ({ variants, published: { paper, ablation } }: ConfusionReport): Chapter => ({
  id: "ablations",
  title: "Ablations",
  parts: [
    ...(variants.length === 0 ? noVariant : [variantTable(variants)]),
    {
      title: "The paper's ablations: other models on other images",
      columns: [
        ...["part", "exchanged for"].map((title) => textColumn(title)),
        ...["Spearman's ρ", "Kendall's τ"].map((title) => numberColumn(title, { decimals: 3 })),
      ],
      rows: ablation.rows.map(({ part, value, spearman, kendall }) => [
        ...[part, value, spearman, kendall],
      ]),
      note: `${paper}, ${ablation.source}.`,
    },
  ],
});

const noVariant: readonly Part[] = [
  "No metric of this run looks at entities one by one. Score the run by one, with a model that answers questions and one that finds entities; masking and the like say what is done around them:",
  { commands: ["--metric localized-vqa-score", "--metric localized-vqa-score:masking"] },
];

const variantTable = (variants: readonly LocalizedVariant[]): ViewTable => ({
  title: "Ablations of L-VQAScore",
  columns: [
    ...["part", "exchanged for"].map((title) => textColumn(title)),
    countColumn("n"),
    ...["fails (%)", "ties (%)"].map((title) => percentColumn(title)),
    ...["Spearman's ρ", "Kendall's τ-b"].map((title) => numberColumn(title)),
  ],
  rows: [...variants]
    .sort((one, other) => order.indexOf(partOf(one)) - order.indexOf(partOf(other)))
    .map(({ exchanged, strategy, answerer, localizer, n, ...found }) => [
      exchanged.map(({ part }) => part).join(" and ") || "nothing",
      exchanged.length > 0
        ? exchanged.map(({ value }) => value).join(" and ")
        : named(strategy, [answerer, localizer].filter(Boolean).join(" + ")),
      n,
      ...[found.swapFailure, found.swapTies, found.spearman, found.kendallTauB],
    ]),
  note: "Its F1 as it stands above, then with one part of it exchanged; failures and ties of the swap test in percent, correlation with the reference's F1 over groups, [95 % interval].",
});

const partOf = ({ exchanged: [first] }: LocalizedVariant) => first?.part ?? "";
const order = ["", "strategy", "leakage questions", "localiser", "answerer"];
