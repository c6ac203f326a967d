import type { DrawnFigure } from "../../../../src/report/drawing/drawn-figure.js";
import type { AuditDetail } from "../../../../src/studio/audits/audit-api.js";
import { estimateText, pluralText } from "../../../../src/views/number-text.js";
import {
  type Cell,
  countColumn,
  numberColumn,
  textColumn,
  type ViewTable,
} from "../../../../src/views/view.js";
import { Plot } from "../../shell/plot.js";
import { ViewTableView } from "../../shell/view-table.js";

type AuditPrice = AuditDetail["prices"][number];

/** Price of refining by one metric: how well images show the original query, before and after. */
export function Price({
  price,
  figure,
}: {
  readonly price: AuditPrice;
  readonly figure: DrawnFigure | null;
}) {
  const { metric, model, tradeOff, n } = price;
  if (figure === null) {
    return (
      <p>
        {metric} ({model}) scored no set of images before and after, so by it the price is not
        known.
      </p>
    );
  }
  const { svg, narrow, title, caption } = figure;
  return (
    <>
      <ViewTableView table={changeTable(price)} />
      <p>
        How far a set's index falls goes with how much of its alignment is lost with Spearman's rho{" "}
        {estimateText(tradeOff)}
        {tradeOff.value === null && ` (${tradeOff.reason})`} over {pluralText(n, "set")}. Above 0,
        what removes stereotypes removes the query as well.
      </p>
      <details>
        <summary>Stereotypes against alignment, as a plot</summary>
        <Plot svg={svg} narrow={narrow} description={title} caption={caption} />
      </details>
    </>
  );
}

type Change = AuditPrice["change"]["overall"]["models"][string];

function changeTable({ metric, model, direction, change }: AuditPrice): ViewTable {
  const each = Object.entries(change.categories);
  const all = each.length === 1 ? [] : [["all categories", change.overall] as const];
  const cells = ({ pairs, dropped, initial, refined, difference }: Change): Cell[] => [
    ...[pairs, dropped, initial, refined, difference],
  ];
  return {
    title: `Alignment with the query by ${metric}`,
    columns: [
      textColumn("category", { isGroup: true }),
      textColumn("generator"),
      ...["pairs", "left out"].map((title) => countColumn(title)),
      ...["before", "after"].map((title) => numberColumn(title, { decimals: 3 })),
      numberColumn("difference"),
    ],
    rows: [...all, ...each].flatMap(([category, value]) => [
      [category, "all", ...cells(value)],
      ...Object.entries(value.models).map(([name, own]) => [category, name, ...cells(own)]),
    ]),
    note: `Mean score by ${model} over image sets; ${direction} is better. Difference: initial minus refined, [95 % interval that resamples whole queries].`,
  };
}
