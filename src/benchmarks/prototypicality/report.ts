import { metricOf } from "../../analysis/inference/metric-name.js";
import { tieText } from "../../analysis/pairs/score-ties.js";
import { asJson } from "../../core/json.js";
import { emptyFigure, type Figure } from "../../views/figures/figure.js";
import { pluralText, scorePairText } from "../../views/number-text.js";
import type { Card, Chapter } from "../../views/report.js";
import {
  as,
  countColumn,
  type Marked,
  named,
  numberColumn,
  said,
  textColumn,
} from "../../views/view.js";
import type { BenchmarkReport, FurtherChapter } from "../benchmark.js";
import { claimsChapter } from "../chapters/claims.js";
import { galleryChapter, outcomeMark, pictureOf } from "../chapters/gallery.js";
import { methodsChapter } from "../chapters/methods.js";
import { leftOutParts, unscoredChapter } from "../chapters/unscored.js";
import { type CardGroup, cardGroups } from "./choose-cards.js";
import type { CardScore, PairCard, PrototypicalityReport } from "./conclusion.js";
import {
  type Banded,
  bandedByDomain,
  bandedByKnob,
  effectFigure,
  failuresChapter,
  failureTable,
  filtersChapter,
  isOneDomain,
  ratesOf,
} from "./failures-view.js";
import { failureRatesPlot } from "./figure.js";
import { scoresChapter } from "./scores-view.js";
import { reportVerdict, worstAndBest } from "./verdict.js";

/** Shows what a prototypicality run comes to. */
export function prototypicalityReport(found: PrototypicalityReport): BenchmarkReport {
  const verdict = reportVerdict(found);
  const pair = examplePair(found);
  const example = pair && pairCard(pair, found);
  return {
    verdict,
    example: found.cards[0]?.scores[0]?.correct.key,
    json: () => ({
      cards: found.cards.length,
      claims: asJson(found.claims.findings),
      differences: asJson(found.differences),
      warnings: found.warnings,
      selections: asJson(found.selections),
      times: asJson(found.times),
    }),
    pair: example,
    isFromLab: found.fromLab,
    overview: () => ({
      figure:
        openingFigure(found) ?? emptyFigure("Failure rate by metric", "no pair has both scores"),
      tables: [
        failureTable(found, "domain", bandedByDomain(found)),
        failureTable(found, "errorType", bandedByKnob(found)),
      ].filter(({ rows }) => rows.length > 0),
    }),
    report: (further = []) => ({
      title: `Prototypicality report: ${found.name}`,
      verdict,
      isFromLab: found.fromLab,
      figure: openingFigure(found),
      example,
      caveats: found.warnings,
      method: `Over the pairs ${found.selections[0].description}. Brackets hold 95 % intervals, clustered by prompt.`,
      also: [
        effectFigure(
          found,
          "Effect of prototypicality",
          overall(found),
          "Failure rate of the triplets minus that of both controls together; an interval that crosses the line shows no significant effect. n counts triplets.",
        ),
      ],
      chapters: [
        failuresChapter(found),
        cardsChapter(found, pair),
        galleryChapter(found.gallery),
        filtersChapter(found),
        scoresChapter(found),
        ...(found.times.length === 0 ? [] : [timesChapter(found)]),
        claimsChapter(
          found.claims,
          isOneDomain(found)
            ? []
            : ["Where no domain is named, the pairs of all domains are pooled."],
        ),
        ...(further.length === 0 ? [] : [furtherChapter(further)]),
        unscoredChapter(found.unscored, leftOutParts(found.leftOut)),
        methodsChapter({
          ...found,
          tieRule: `a tie is a failure; the strict failure rate leaves ties out; ${tieText(found.tieTolerance)}`,
        }),
      ],
    }),
  };
}

/** With more metrics their controls wait below: the first figure must fit the first screen. */
const mostWithControls = 5;

/** The rates that the verdict speaks of; undefined where no metric has one. */
function openingFigure(report: PrototypicalityReport): Figure | undefined {
  const all = overall(report);
  const rates = all
    .flatMap((one) => ratesOf(one, report))
    .filter(({ series }) => all.length <= mostWithControls || series === "triplet");
  if (rates.length === 0) return undefined;
  const title = "Failure rate by metric";
  return {
    title,
    caption:
      "A metric fails where the wrong image of a pair scores as high as the right one, or higher. n counts pairs.",
    ...failureRatesPlot(title, rates),
  };
}

/**
 * A triplet on which the verdict's worst metric fails and its best does not, else one on which metrics
 * disagree, else the first.
 */
function examplePair(report: PrototypicalityReport): PairCard | undefined {
  const triplets = report.cards.filter(({ comparison }) => comparison === "contrastive");
  const { worst, best } = worstAndBest(report);
  const outcome = ({ scores }: PairCard, id: string | undefined) =>
    scores.find(({ metric }) => metric === id)?.outcome;
  return (
    triplets.find((card) => outcome(card, worst) === "wrong" && outcome(card, best) === "right") ??
    triplets.find(({ group }) => group === "disagree") ??
    triplets[0]
  );
}

const overall = ({ selections: [{ metrics }] }: PrototypicalityReport): Banded[] =>
  metrics.map(({ metric, overall: is }) => ({ band: "", metric, is }));

/** Time, calls and cost of a score, by metric. */
function timesChapter(report: PrototypicalityReport): Chapter {
  const { times, fromLab } = report;
  const isCalled = times.some(({ calls }) => calls !== null);
  const ofCalls = isCalled ? ["calls", "tokens", "cost (US dollars)"] : [];
  return {
    id: "times",
    title: "What a score takes",
    parts: [
      {
        title: "What a score takes",
        columns: [
          textColumn("metric"),
          countColumn("images"),
          ...["seconds", "scores/s", ...ofCalls].map((title) => numberColumn(title)),
        ],
        rows: times.map(({ metric: id, n, seconds, perSecond, calls, tokens, cost }) => {
          const { metric, model } = metricOf(report, id);
          return [
            ...[named(metric, model), n, seconds, perSecond],
            ...(isCalled ? [calls, tokens, cost] : []),
          ];
        }),
        note: `By the run's trace. Seconds run from asking to the answer, [95 % interval], with waiting, limits and retries; a rate counts scores while any was asked for. Both depend on the machine, its load and how many images are asked about at once; the first metric also opens the images. ${
          isCalled ? "Calls, tokens and cost are those of hosted models, for an image. " : ""
        }Answers from a cache are excluded.${
          fromLab
            ? " The lab's models run in this process and none is large: “touchstone lab experiment proto-score --lab” counts their calls and times them one after another on the same pairs."
            : ""
        }`,
      },
    ],
  };
}

/** Verdicts of other benchmarks, with links to their own pages. */
const furtherChapter = (chapters: readonly FurtherChapter[]): Chapter => ({
  id: "further",
  title: "Further chapters",
  parts: [
    "Other failures of metrics and judges, tried in the same world. Each is a run of its own, with a page of its own.",
    ...chapters.flatMap(({ title, verdict, address }) => [
      { heading: { words: [{ text: title, as: "link", to: address } as const] } },
      { items: verdict },
    ]),
  ],
});

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
function cardsChapter(report: PrototypicalityReport, shown?: PairCard): Chapter {
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
function pairCard(card: PairCard, report: PrototypicalityReport): Card {
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
