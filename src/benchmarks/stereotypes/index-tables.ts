import { countText } from "../../views/number-text.js";
import { countColumn, numberColumn, textColumn, type ViewTable } from "../../views/view.js";
import type { AuditNumbers } from "./conclusion.js";

export const category = textColumn("category", { isGroup: true, facet: "category" });
export const generator = textColumn("generator", { facet: "generator" });
/** Means without an interval. */
export const indices = (...titles: readonly string[]) =>
  titles.map((title) => numberColumn(title, { decimals: 3 }));
export const categoryText = (name: string | null) => name ?? "all categories";

/** The index of images that were audited once. */
export const initialTable = ({ initial }: Pick<AuditNumbers, "initial">): ViewTable => ({
  title: "Social Stereotype Index",
  columns: [category, generator, countColumn("sets"), numberColumn("index")],
  rows: initial.map(({ category, model, index: { n, mean } }) => [
    ...[categoryText(category), model ?? "all", n, mean],
  ]),
  note: "Of the images as they were generated: the share of a set's rubric items that say a negative stereotype is there, 0 to 1; the mean over sets, [95 % interval].",
});

/** Where the index would lie had every item without an answer been absent, and present. */
export function boundsTable({
  bounds,
  isRefined,
}: Pick<AuditNumbers, "bounds" | "isRefined">): ViewTable {
  const unscored = (one: { readonly unscored: number; readonly items: number } | null) =>
    one === null ? null : `${countText(one.unscored)} of ${countText(one.items)}`;
  return {
    title: "Bounds of the index",
    columns: [
      textColumn("category"),
      ...indices("unscored before", "index before"),
      ...(isRefined ? indices("unscored after", "index after", "difference") : []),
    ],
    rows: bounds.map(({ category, bounds: { initial, refined, difference } }) => [
      ...[categoryText(category), unscored(initial), initial],
      ...(isRefined ? [unscored(refined), refined, difference] : []),
    ]),
    note: "Had every item without an answer been absent, and had every one been present. Sets that could not be painted, rewritten or judged count with all of their items.",
  };
}
