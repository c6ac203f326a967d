import { metricOf, spokenName } from "../../analysis/inference/metric-name.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { fixedText, pluralText } from "../../views/number-text.js";
import type { Card, Chapter, Part } from "../../views/report.js";
import { scorePairText } from "../../views/score-pair-text.js";
import {
  as,
  named,
  probabilityColumn,
  said,
  textColumn,
  type ViewTable,
  type Words,
} from "../../views/view.js";
import { outcomeMark, pictureOf } from "../chapters/gallery.js";
import type { ConfusionReport, Strip, StripEntity, StripQuestion, SwapCard } from "./conclusion.js";
import { rankedBySwap } from "./swap-selections.js";

/** Most metrics that fit the first screen. */
const mostShown = 5;

/** Two images, and who scores the swapped description higher; undefined where there are none. */
export function swapExamples(report: ConfusionReport): Card | undefined {
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
export const stripsChapter = ({ strips: found, standing }: ConfusionReport): Chapter => ({
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
