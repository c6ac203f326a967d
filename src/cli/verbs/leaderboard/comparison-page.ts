import { conclusionPage } from "../../../report/pages/conclusion-page.js";
import { countColumn, numberColumn, probabilityColumn, textColumn } from "../../../views/view.js";
import type { Comparison } from "./read-entries.js";

/** A comparison's own page: each model and each pair, as its file has them. */
export const comparisonPage = (
  { verdict, models, pairs, intervals }: Comparison,
  { title, command }: { readonly title: string; readonly command: string },
): Promise<string> =>
  conclusionPage(
    {
      verdict,
      tables: [
        {
          title: "Models",
          columns: [
            textColumn("model"),
            numberColumn("mean"),
            countColumn("images"),
            countColumn("unscored"),
          ],
          rows: Object.entries(models)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, { n, unscored, mean }]) => [name, mean, n, unscored]),
        },
        {
          title: "Pairs",
          columns: [
            textColumn("model", { isGroup: true }),
            textColumn("beside"),
            numberColumn("difference"),
            probabilityColumn("adjusted p"),
          ],
          rows: pairs.map(({ a, b, difference, pAdjusted }) => [a, b, difference, pAdjusted]),
        },
      ],
      caveats: [],
      method: intervals === undefined ? "" : `Brackets hold intervals: ${intervals.text}.`,
    },
    { title, command },
  );
