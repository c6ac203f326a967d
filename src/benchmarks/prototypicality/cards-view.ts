import { metricOf } from "../../analysis/inference/metric-name.js";
import { pluralText } from "../../views/number-text.js";
import type { Card, Chapter } from "../../views/report.js";
import { scorePairText } from "../../views/score-pair-text.js";
import { as, type Marked, named, numberColumn, said, textColumn } from "../../views/view.js";
import { outcomeMark, pictureOf } from "../chapters/gallery.js";
import { type CardGroup, cardGroups } from "./choose-cards.js";
import type { CardScore, PairCard, PrototypicalityReport } from "./conclusion.js";

const groupTitles: Readonly<Record<CardGroup, string>> = {
  disagree: "The metrics disagree",
  "all-fail": "Every metric fails",
  "all-right": "Every metric is right",
};

/**
 * Pairs to look at, as the paper's figure 1 shows them: triplets by outcome, then controls.
 *
 * @param shown stands elsewhere on the page
 */
export function cardsChapter(report: PrototypicalityReport, shown?: PairCard): Chapter {
  const rest = report.cards.filter((card) => card !== shown);
  const triplets = rest.filter(({ comparison }) => comparison === "contrastive");
  const groups = [
    ...cardGroups.map((group) => ({
      title: groupTitles[group],
      cards: triplets.filter((card) => card.group === group),
    })),
    {
      title: "Controls: neither image is the more typical",
      cards: rest.filter(({ comparison }) => comparison.startsWith("control-")),
    },
    {
      title: "Reversed conflict: the typical image is right",
      cards: rest.filter(({ comparison }) => comparison === "reversed"),
    },
  ].filter(({ cards }) => cards.length > 0);
  return {
    id: "cards",
    title: "Pairs to look at",
    parts: [
      `${cardRule(report)}${shown === undefined ? "" : " One of them stands at the top of this page."}`,
      ...groups.flatMap(({ title, cards }) => [
        { heading: title },
        { cards: cards.map((card) => pairCard(card, report)) },
      ]),
    ],
  };
}

const cardRule = ({ drawnTriplets, provenance: { seed } }: PrototypicalityReport): string =>
  `${drawnTriplets.cards} of ${pluralText(drawnTriplets.of, "triplet")}, drawn with seed ${seed} by a rule that looks ` +
  "at nothing but who ranked rightly: from each group below one pair of each domain and error type in " +
  "turn, at most one of a prompt. The controls and reversed conflicts are drawn alike. The cards are examples; their " +
  "shares say nothing about rates.";

const comparisonTags = {
  "control-atypical": "both atypical",
  "control-typical": "both typical",
  reversed: "typical and right",
} as const;

const wrongTitles: Readonly<Partial<Record<PairCard["comparison"], string>>> = {
  contrastive: "Typical but wrong",
  reversed: "Atypical and wrong",
};

/** Both images of a pair, and who ranked them rightly. */
export function pairCard(card: PairCard, report: PrototypicalityReport): Card {
  const { prompt, comparison, domain, knob, right, wrong, text, correct, adversarial } = card;
  const [member, other] = card.members;
  return {
    id: `${comparison}-${correct.key.slice(0, 12)}-${adversarial.key.slice(0, 12)}`,
    tags: [
      domain,
      `${knob.replaceAll("_", " ")}: ${knobChange(card)}`,
      ...(comparison === "contrastive" ? [] : [comparisonTags[comparison]]),
    ],
    text,
    parts: [
      {
        pictures: [
          pictureOf(correct, "Correct", `${member}; ${knobState(card, right)}`),
          pictureOf(
            adversarial,
            wrongTitles[comparison] ?? "Wrong",
            `${other}; ${knobState(card, wrong)}`,
          ),
        ],
      },
      {
        title: "Scores",
        columns: [
          textColumn("metric"),
          ...["correct", "wrong"].map((title) => numberColumn(title)),
          textColumn("ranking"),
        ],
        rows: card.scores.map((score) => {
          const { metric, model } = metricOf(report, score.metric);
          const isTie = score.outcome === "tie";
          return [
            named(metric, model),
            ...scorePairText(score.correct, score.adversarial, { isTie }),
            said`${outcomeMark(score.outcome)}`,
          ];
        }),
      },
      {
        summary: "Prompts and keys",
        parts: [
          {
            facts: [
              ["correct", correct.text],
              ["wrong", adversarial.text],
              ["prompt", said`${as("code", prompt)}`],
              ["images", said`${as("code", correct.key)} ${as("code", adversarial.key)}`],
              ...card.scores.map((score) => {
                const keys = [...keyOf(score.correct), " ", ...keyOf(score.adversarial)];
                return [metricOf(report, score.metric).metric, { words: keys }] as const;
              }),
            ],
          },
        ],
      },
    ],
  };
}

const keyOf = ({ key }: CardScore): Marked[] => (key === undefined ? [] : [as("code", key)]);

/** "flower: two"; a side is the subject's, seen from the extra: "left of the bench". */
const knobState = ({ knob, extra }: PairCard, value: string): string =>
  knob === "layout_relation" ? `${value} of the ${extra}` : `${extra}: ${value}`;

const knobChange = ({ knob, extra, right, wrong }: PairCard): string =>
  knob === "layout_relation"
    ? `${right} → ${wrong} of the ${extra}`
    : `${extra}, ${right} → ${wrong}`;
