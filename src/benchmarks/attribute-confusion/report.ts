import { metricOf, spokenName } from "../../analysis/inference/metric-name.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { asJson } from "../../core/json.js";
import { fixedText, pluralText, scorePairText } from "../../views/number-text.js";
import type { Card, Chapter, Part } from "../../views/report.js";
import {
  as,
  countColumn,
  named,
  numberColumn,
  percentColumn,
  probabilityColumn,
  said,
  textColumn,
  type ViewTable,
  type Words,
} from "../../views/view.js";
import type { BenchmarkReport } from "../benchmark.js";
import { claimsChapter } from "../chapters/claims.js";
import { galleryChapter, outcomeMark, pictureOf } from "../chapters/gallery.js";
import { methodsChapter } from "../chapters/methods.js";
import { unscoredChapter } from "../chapters/unscored.js";
import type {
  ConfusionReport,
  LocalizedVariant,
  Strip,
  StripEntity,
  StripQuestion,
  SwapCard,
  SwapSelection,
} from "./conclusion.js";
import { rankedBySwap } from "./swap-selections.js";
import {
  correlationChapter,
  swapChapter,
  swapFigure,
  swapTable,
  swapTableBy,
} from "./swap-view.js";
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

/** Most metrics that fit the first screen. */
const mostShown = 5;

/** Two images, and who scores the swapped description higher; undefined where there are none. */
function swapExamples(report: ConfusionReport): Card | undefined {
  const { examples, selections, standing, isUnreferenced } = report;
  if (examples.length === 0) return undefined;
  const ranked = rankedBySwap({ selections, standing });
  const compared = [ranked[0]?.id, ranked.at(-1)?.id];
  // The two metrics of the verdict's comparison are always among those shown first.
  const room = mostShown - standing.filter(({ id }) => compared.includes(id)).length;
  const more = standing.filter(({ id }) => !compared.includes(id)).slice(0, room);
  const isShown = (metric: EvaluatedMetric) =>
    compared.includes(metric.id) || more.includes(metric);
  const others = standing.filter((metric) => !isShown(metric));
  return {
    parts: [
      {
        pictures: examples.map(({ image, text, swapped }, at) => ({
          ...pictureOf(image, `${at + 1}. ${text}`, `swapped: ${swapped}`),
          alternative: `Image ${at + 1}, made from: ${text}`,
        })),
      },
      scoresTable(report, standing.filter(isShown)),
      ...(others.length === 0
        ? []
        : [
            {
              summary: pluralText(others.length, "more metric"),
              parts: [scoresTable(report, others)],
            },
          ]),
      `${isUnreferenced ? "Scores of the own and of the swapped description" : "✓ the own description scores higher than the swapped one (scores: own, swapped)"}.`,
    ],
  };
}

const scoresTable = (
  { examples, standing, isUnreferenced }: ConfusionReport,
  metrics: readonly EvaluatedMetric[],
): ViewTable => ({
  title: "Scores",
  columns: [textColumn("metric"), ...examples.map((_, at) => textColumn(`image ${at + 1}`))],
  rows: metrics.map(({ id }) => {
    const { metric, model } = metricOf({ metrics: standing }, id);
    return [named(metric, model), ...examples.map((card) => scoresOf(card, id, isUnreferenced))];
  }),
});

/** A metric's scores of the own and the swapped description, with a tick where the truth is known. */
function scoresOf({ scores }: SwapCard, id: string, isUnreferenced: boolean): Words | null {
  const score = scores.find(({ metric }) => metric === id);
  if (score === undefined) return null;
  const { original, swapped, outcome } = score;
  const both = scorePairText(original, swapped, { isTie: outcome === "tie" }).join(", ");
  return isUnreferenced ? both : said`${outcomeMark(outcome)}${as("under", both)}`;
}

/** Images as a localised metric judged them: mask, what it looked at, each question and P(yes). */
const stripsChapter = ({ strips: found, standing }: ConfusionReport): Chapter => ({
  id: "strips",
  title: "What a localised metric looks at",
  parts:
    found === undefined || found.strips.length === 0
      ? ["No metric of this run looks at entities one by one, so there is nothing to show here."]
      : [
          said`Images as ${spokenName({ metrics: standing }, found.metric)} (${found.strategy}) judged them: for each entity the mask that the localiser gave, the image that was shown for it, and every question with P(yes). ${as("em", "Own")} attributes should be seen (reflection), ${as("em", "others'")} should not (leakage). The images are drawn by the seed, some of each group.`,
          { cards: found.strips.map(stripOf), isWide: true },
        ],
});

function stripOf({ key, image, generator, value, reference, group, entities }: Strip): Card {
  return {
    id: `strip-${key.slice(0, 12)}`,
    tags: [
      group,
      `made by ${generator.replace(/@.*$/, "")}`,
      `score ${fixedText(value, 3)}`,
      ...(reference === null ? [] : [`reference ${fixedText(reference, 3)}`]),
    ],
    text: image.text,
    parts: [
      { pictures: [pictureOf(image, "Image"), ...entities.flatMap(lookedAt)] },
      ...entities.flatMap(notLookedAt),
      {
        title: `Questions about ${image.text}`,
        columns: [
          ...["entity", "attribute", "question"].map((title) => textColumn(title)),
          probabilityColumn("P(yes)"),
          textColumn("answer"),
        ],
        rows: entities.flatMap(({ entity, questions }) =>
          questions.map((one) => [
            entity,
            said`${one.attribute} ${as("open", one.kind === "reflection" ? "own" : "other's")}`,
            ...[one.question, one.probability, answerOf(one)],
          ]),
        ),
      },
      said`score ${as("code", key)}`,
    ],
  };
}

const lookedAt = ({ entity, overlay, seen }: StripEntity) =>
  overlay === undefined || seen === undefined
    ? []
    : [
        {
          image: overlay,
          alternative: `Where the localiser found ${entity}`,
          caption: said`${as("strong", "Mask")}${entity}`,
        },
        {
          image: seen,
          alternative: `What was shown of ${entity}`,
          caption: said`${as("strong", "Looked at")}${entity}`,
        },
      ];

function notLookedAt({ entity, mask, overlay, seen }: StripEntity): Part[] {
  if (overlay !== undefined && seen !== undefined) return [];
  if (mask === "none") return [`${entity}: not found, so the whole image was shown`];
  const why =
    mask === "not asked" ? "the whole image was shown" : "its mask is not in the run's trace";
  return [`${entity}: ${why}`];
}

function answerOf({ saysYes, reference }: StripQuestion): Words {
  const answer = saysYes ? "yes" : "no";
  if (reference === undefined) return answer;
  return said`${reference === saysYes ? as("right", `✓ ${answer}`) : as("wrong", `✗ ${answer}`)}`;
}
