import { asJson } from "../../core/json.js";
import { fixedText } from "../../views/number-text.js";
import type { Card, Chapter, Part } from "../../views/report.js";
import {
  as,
  countColumn,
  numberColumn,
  said,
  textColumn,
  type ViewTable,
} from "../../views/view.js";
import type { BenchmarkReport } from "../benchmark.js";
import { claimsChapter } from "../chapters/claims.js";
import { pictureOf } from "../chapters/gallery.js";
import { methodsChapter } from "../chapters/methods.js";
import { unscoredChapter } from "../chapters/unscored.js";
import {
  auditFigure,
  changedIndex,
  diversityParts,
  indexParts,
  itemParts,
  judgeParts,
  priceParts,
  queryParts,
  refiningParts,
} from "./audit-view.js";
import type {
  AuditCard,
  AuditReport,
  CardFlag,
  CardPhase,
  PublishedStereotypes,
} from "./conclusion.js";
import { initialTable } from "./index-tables.js";
import { auditVerdict } from "./verdict.js";

/** Shows what an audit comes to. Whatever a model wrote is text in it, never markup. */
export function auditReport(found: AuditReport): BenchmarkReport {
  const { conclusion, prices, bounds, selfAgreement, diversity, experts, truth, isRefined } = found;
  const verdict = auditVerdict(found);
  return {
    verdict,
    json: () => ({
      conclusion: asJson(conclusion),
      prices: asJson(prices),
      bounds: asJson(bounds),
      selfAgreement: asJson(selfAgreement),
      diversity: asJson(diversity),
      experts: experts === undefined ? null : asJson(experts),
      truth: truth === undefined ? null : asJson({ ...truth, sets: truth.sets.length }),
    }),
    isFromLab: found.fromLab,
    overview: () => ({
      figure: auditFigure(found),
      tables: [isRefined ? changedIndex(found) : initialTable(found)],
    }),
    report: () => ({
      title: `Stereotype audit: ${found.name}`,
      verdict,
      isFromLab: found.fromLab,
      figure: auditFigure(found),
      example: auditExample(found),
      caveats: isRefined ? conclusion.warnings : [],
      method: "Brackets hold 95 % intervals that resample whole queries.",
      notice: found.notice,
      chapters: [
        { id: "index", title: "By category and generator", parts: indexParts(found) },
        auditCardsChapter(found),
        { id: "items", title: "Rubric items", parts: itemParts(found) },
        ...(isRefined
          ? [{ id: "queries", title: "Queries, worst first", parts: queryParts(found) }]
          : []),
        { id: "price", title: "What refining costs", parts: priceParts(found) },
        { id: "diversity", title: "Diversity within a set", parts: diversityParts(found) },
        { id: "judge", title: "How far to trust the judge", parts: judgeParts(found) },
        claimsChapter(found.claims, [
          {
            summary: "The paper's figures",
            parts: [publishedIndex(found.published), publishedJudge(found.published)],
          },
        ]),
        { id: "refining", title: "What became of the rewriting", parts: refiningParts(found) },
        unscoredChapter(found.unscored),
        methodsChapter({
          ...found,
          tieRule: "an index is compared set by set; equal before and after is no change",
        }),
      ],
    }),
  };
}

const otherwise = "other models, other images, another judge";
const printed = (title: string, heading?: string) =>
  numberColumn(title, { decimals: 2, ...(heading !== undefined && { heading }) });

/** The paper's index before and after (table 4), shown apart, so that nobody compares line with line. */
const publishedIndex = ({ paper, index }: PublishedStereotypes): ViewTable => ({
  title: `The paper's index: ${otherwise}`,
  columns: [
    textColumn("category"),
    countColumn("queries"),
    ...phaseColumns(index.rows),
    ...["fall (%)", "t"].map((title) => printed(title)),
  ],
  rows: index.rows.map((row) => [
    ...[row.category, row.queries],
    ...phaseCells(row),
    ...[row.drop, row.t],
  ]),
  note: `${paper}, ${index.source}; fall in percent of the index before, t of its paired test. Figures are rounded apart, so "all" need not be the mean of the three.`,
});

/** How often the paper's judge was right by two of its authors (table 3). */
const publishedJudge = ({ paper, judge }: PublishedStereotypes): ViewTable => ({
  title: `The paper's judge beside experts: ${otherwise}`,
  columns: [textColumn("category"), ...phaseColumns(judge.rows)],
  rows: judge.rows.map((row) => [row.category, ...phaseCells(row)]),
  note: `${paper}, ${judge.source}: accuracy in percent. The text says ${fixedText(judge.mean, 2)} % on average.`,
});

type Published = PublishedStereotypes["judge"]["rows"][number];

const groupsOf = ({ models, overall }: Omit<Published, "category">) =>
  Object.entries({ ...models, all: overall });

const phaseColumns = (rows: readonly Published[]) =>
  rows
    .slice(0, 1)
    .flatMap(groupsOf)
    .flatMap(([group]) => ["before", "after"].map((title) => printed(title, group)));

const phaseCells = (row: Published): number[] =>
  groupsOf(row).flatMap(([, { initial, refined }]) => [initial, refined]);

const indexText = ({ index }: CardPhase) => (index === null ? "–" : fixedText(index, 3));

const spaced = (item: string) => item.replaceAll("-", " ");

/** One image of the most stereotyped set and its successor, with what the judge says of both sets. */
function auditExample({ cards }: AuditReport): Card | undefined {
  const card =
    cards.find(({ group, refined }) => group === "most stereotyped" && refined !== undefined) ??
    cards[0];
  if (card === undefined) return undefined;
  const { query, category, generator, initial, refined } = card;
  const cited = initial.images.findIndex((_, at) =>
    initial.flags.some(({ images }) => images.includes(at + 1)),
  );
  const phases = [
    { name: "Before", phase: initial },
    ...(refined === undefined ? [] : [{ name: "After", phase: refined }]),
  ];
  const items = [...new Set(phases.flatMap(({ phase }) => phase.flags.map(({ item }) => item)))];
  return {
    tags: [card.group, category, `made by ${generator}`],
    text: query,
    parts: [
      {
        pictures: phases.flatMap(({ name, phase }) => {
          const image = phase.images[Math.max(0, cited)] ?? phase.images[0];
          const prompt = phase.prompt === query ? "" : phase.prompt;
          return image === undefined
            ? []
            : [
                {
                  ...pictureOf(image, `${name}: index ${indexText(phase)}`, prompt),
                  alternative: `${name}, an image made from: ${image.text}`,
                },
              ];
        }),
      },
      {
        title: "Items",
        columns: [
          textColumn("in the whole set"),
          ...phases.map(({ name }) => textColumn(name.toLowerCase())),
        ],
        rows: items
          .slice(0, mostItems)
          .map((item) => [
            spaced(item),
            ...phases.map(({ phase }) =>
              phase.flags.some((flag) => flag.item === item)
                ? said`${as("wrong", "✗ stereotyped")}`
                : said`${as("right", "✓ not flagged")}`,
            ),
          ]),
      },
    ],
  };
}

/** Most items that fit the first screen; all flags stand with the images below. */
const mostItems = 4;

/** Sets of images, before above and after below, with the judge's reasons on each image. */
const auditCardsChapter = ({ cards }: AuditReport): Chapter => ({
  id: "images",
  title: "Images, and what the judge saw",
  parts:
    cards.length === 0
      ? ["There are no judged images to show."]
      : [
          "In each category the two queries with the highest index before, the one that got worst, where one did, and one drawn by the seed. Below each image stand the flags for which the judge cites it, in the judge's own words.",
          { cards: cards.map(cardOf), isWide: true },
        ],
});

const cardOf = ({ key, group, query, category, generator, initial, refined }: AuditCard): Card => ({
  id: `set-${key.slice(0, 12)}`,
  tags: [group, category, `made by ${generator}`],
  text: query,
  parts: [
    ...phaseParts("Before", initial),
    ...(refined === undefined
      ? ["Not rewritten, or not audited again."]
      : phaseParts("After", refined)),
    said`audit ${as("code", key)}`,
  ],
});

function phaseParts(name: string, phase: CardPhase): Part[] {
  const { prompt, images, flags, answered, items } = phase;
  const unanswered = answered < items ? `, ${items - answered} without an answer` : "";
  const counted = `${flags.length} of ${answered} answered items flagged${unanswered}`;
  const ofAll = flags.filter((flag) => flag.images.length === 0);
  return [
    said`${as("strong", `${name}:`)} index ${indexText(phase)} ${as("open", counted)}${as("under", prompt)}`,
    {
      pictures: images.map((image, at) => ({
        ...pictureOf(image),
        alternative: `Image ${at + 1} made from: ${image.text}`,
        more: flagList(flags.filter((flag) => flag.images.includes(at + 1))),
      })),
    },
    ...(ofAll.length === 0
      ? []
      : ["Of no image in particular:", ...[flagList(ofAll) ?? []].flat()]),
  ];
}

const flagList = (flags: readonly CardFlag[]) =>
  flags.length === 0
    ? undefined
    : {
        summary: flags.map(({ item }) => spaced(item)).join(", "),
        parts: flags.map(({ item, reason }) => said`${as("strong", spaced(item))} ${reason}`),
      };
