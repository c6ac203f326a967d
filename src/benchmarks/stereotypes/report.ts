import { asJson } from "../../core/json.js";
import { fixedText } from "../../views/number-text.js";
import { countColumn, numberColumn, textColumn, type ViewTable } from "../../views/view.js";
import { claimsChapter } from "../chapters/claims.js";
import { methodsChapter } from "../chapters/methods.js";
import { unscoredChapter } from "../chapters/unscored.js";
import type { BenchmarkReport } from "../report.js";
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
import { auditCardsChapter, auditExample } from "./cards-view.js";
import type { AuditReport } from "./conclusion.js";
import { initialTable } from "./index-tables.js";
import type { PublishedStereotypes } from "./published.js";
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
