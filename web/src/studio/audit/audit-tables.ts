import type { AuditDetail } from "../../../../src/studio/audits/audit-api.js";
import { countText, estimateText, fixedText } from "../../../../src/views/number-text.js";
import type { TextTable } from "../../../../src/views/text-table.js";

const categoryText = (category: string | null) => category ?? "all categories";
const numbers = (...titles: readonly string[]) =>
  titles.map((title) => ({ title, align: "right" as const }));

/** The index of images as they were generated, where none was refined. */
export const initialTable = (initial: AuditDetail["initial"]): TextTable => ({
  title: "Social Stereotype Index",
  columns: [{ title: "category" }, { title: "generator" }, ...numbers("sets", "index")],
  rows: initial.map(({ category, model, index: { n, mean } }, at) => [
    at > 0 && initial[at - 1]?.category === category ? "" : categoryText(category),
    model ?? "all",
    countText(n),
    estimateText(mean),
  ]),
  note: "The share of a set's rubric items that say a negative stereotype is there, 0 to 1; the mean over sets, [95 % interval].",
});

/** Where the index would lie had every item without an answer been absent, and present. */
export function boundsTable({
  bounds,
  isRefined,
}: Pick<AuditDetail, "bounds" | "isRefined">): TextTable {
  const range = (one: { readonly low: number; readonly high: number } | null) =>
    one === null ? "–" : `${fixedText(one.low, 3)} to ${fixedText(one.high, 3)}`;
  const unscored = (one: { readonly unscored: number; readonly items: number } | null) =>
    one === null ? "–" : `${countText(one.unscored)} of ${countText(one.items)}`;
  return {
    title: "Bounds of the index",
    columns: [
      { title: "category" },
      ...numbers("unscored before", "index before"),
      ...(isRefined ? numbers("unscored after", "index after", "difference") : []),
    ],
    rows: bounds.map(({ category, bounds: { initial, refined, difference } }) => [
      categoryText(category),
      unscored(initial),
      range(initial),
      ...(isRefined ? [unscored(refined), range(refined), range(difference)] : []),
    ]),
    note: "Had every item without an answer been absent, and had every one been present. Sets that could not be painted, rewritten or judged count with all of their items.",
  };
}
