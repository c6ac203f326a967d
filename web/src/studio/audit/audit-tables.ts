import type { AuditDetail } from "../../../../src/studio/audits/audit-api.js";
import { countText, fixedText } from "../../../../src/views/number-text.js";
import {
  countColumn,
  numberColumn,
  textColumn,
  type ViewTable,
} from "../../../../src/views/view.js";

const categoryText = (category: string | null) => category ?? "all categories";
const numbers = (...titles: readonly string[]) => titles.map((title) => numberColumn(title));

/** The index of images as they were generated, where none was refined. */
export const initialTable = (initial: AuditDetail["initial"]): ViewTable => ({
  title: "Social Stereotype Index",
  columns: [
    textColumn("category", { isGroup: true }),
    textColumn("generator"),
    countColumn("sets"),
    numberColumn("index"),
  ],
  rows: initial.map(({ category, model, index: { n, mean } }) => [
    ...[categoryText(category), model ?? "all", n, mean],
  ]),
  note: "The share of a set's rubric items that say a negative stereotype is there, 0 to 1; the mean over sets, [95 % interval].",
});

/** Where the index would lie had every item without an answer been absent, and present. */
export function boundsTable({
  bounds,
  isRefined,
}: Pick<AuditDetail, "bounds" | "isRefined">): ViewTable {
  const range = (one: { readonly low: number; readonly high: number } | null) =>
    one === null ? "–" : `${fixedText(one.low, 3)} to ${fixedText(one.high, 3)}`;
  const unscored = (one: { readonly unscored: number; readonly items: number } | null) =>
    one === null ? "–" : `${countText(one.unscored)} of ${countText(one.items)}`;
  return {
    title: "Bounds of the index",
    columns: [
      textColumn("category"),
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
