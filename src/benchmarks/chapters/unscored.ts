import type { LeftOutPrompts } from "../../analysis/pairs/retention.js";
import { groupBy } from "../../core/arrays.js";
import { pluralText } from "../../views/number-text.js";
import type { Chapter, Part } from "../../views/report.js";
import { countColumn, textColumn, type ViewTable } from "../../views/view.js";
import type { UnscoredCount } from "../provenance.js";

/** The records of a run without an answer, by step and reason; and prompts that were not written. */
export const unscoredChapter = (
  unscored: readonly UnscoredCount[],
  more: readonly Part[] = [],
): Chapter => ({
  id: "unscored",
  title: "What has no answer",
  parts: [
    "Records without an answer are excluded from every rate above; they never count as 0.",
    unscored.length === 0
      ? "Every record of this run has an answer."
      : {
          title: "Unscored records",
          columns: [
            ...["step", "of", "reason"].map((title) => textColumn(title)),
            countColumn("records"),
            ...["asked again on resume", "for example"].map((title) => textColumn(title)),
          ],
          rows: unscored.map(({ step, of, reason, count, retryable, detail }) => [
            ...[step, of, reason, count, retryable ? "yes" : "no", detail],
          ]),
          note: "By step and reason.",
        },
    ...more,
  ],
});

/** Which pairs of the taxonomy could not be asked about, and why. */
export const leftOutParts = (leftOut: readonly LeftOutPrompts[]): Part[] => [
  { heading: "Pairs of the taxonomy that were left out" },
  ...(leftOut.length === 0
    ? ["Every prompt that was planned was written."]
    : [
        groupTable(leftOut),
        {
          summary: `All ${pluralText(leftOut.length, "line")} of it, pair by pair`,
          parts: [pairTable(leftOut)],
        },
      ]),
];

/** By domain, category and reason: how many pairs, and which. */
function groupTable(leftOut: readonly LeftOutPrompts[]): ViewTable {
  const groups = groupBy(leftOut, ({ domain, category, reason }) =>
    JSON.stringify([domain, category, reason]),
  );
  const first = ([one]: readonly LeftOutPrompts[]) => `${one?.domain} ${one?.category}`;
  return {
    title: "Pairs left out",
    columns: [
      textColumn("domain", { isGroup: true }),
      ...["category", "reason"].map((title) => textColumn(title)),
      countColumn("prompts"),
      textColumn("atypical against typical"),
    ],
    rows: [...groups.values()]
      .sort((a, b) => (first(a) < first(b) ? -1 : 1))
      .map((group) => [
        group[0]?.domain ?? "",
        categoryText(group[0]?.category ?? ""),
        group[0]?.reason ?? "",
        group.reduce((sum, one) => sum + one.prompts, 0),
        [...new Set(group.map(pairText))].sort().join("; "),
      ]),
    note: "They have prompts that were not written or can't be drawn. Nothing was put in their place.",
  };
}

const pairTable = (leftOut: readonly LeftOutPrompts[]): ViewTable => ({
  title: "Pairs left out, one by one",
  columns: [
    ...["atypical against typical", "domain, category"].map((title) => textColumn(title)),
    countColumn("prompts"),
    ...["reason", "why"].map((title) => textColumn(title)),
  ],
  rows: leftOut.map((one) => [
    pairText(one),
    `${one.domain}, ${categoryText(one.category)}`,
    one.prompts,
    one.reason,
    one.detail,
  ]),
  note: "With the first reason that was found.",
});

const pairText = ({ nonPrototype, prototype }: LeftOutPrompts) => `${nonPrototype} – ${prototype}`;
const categoryText = (category: string) => category.replaceAll("_", " ");
