import type { InitialIndex } from "../../../analysis/stereotypes/audit-initial.js";
import { numberColumns } from "../../../views/number-columns.js";
import { countText, estimateText } from "../../../views/number-text.js";
import { table } from "../../terminal/terminal-table.js";

/** The index of image sets that were audited once, for a terminal. */
export const initialIndexTable = (found: readonly InitialIndex[], width: number): string =>
  table(
    [
      { title: "category" },
      { title: "model" },
      ...numberColumns("sets", "unscored items"),
      { title: "index, 95 % interval by query", align: "right", isEssential: true },
    ],
    found.map(({ category, model, index, unscoredItems, items }, at) => [
      at > 0 && found[at - 1]?.category === category ? "" : (category ?? "all"),
      model ?? "all models",
      countText(index.n),
      `${countText(unscoredItems)} of ${countText(items)}`,
      estimateText(index.mean),
    ]),
    width,
  );
