import type { ContrastiveConclusion } from "../../analysis/contrastive.js";
import { contrastiveTables, type TextTable } from "../../report/contrastive-tables.js";
import type { Style } from "../style.js";
import { table } from "../table.js";
import { wrap } from "../wrap.js";

const width = 100;

/** A conclusion as a terminal shows it: the verdict first, tables, then what to mind. */
export function contrastiveText(
  conclusion: ContrastiveConclusion,
  { verdict, style }: { readonly verdict: string; readonly style: Style },
): string {
  const tables = contrastiveTables(conclusion).map((each) =>
    [style.bold(each.title), tableText(each), style.dim(wrap(each.note, width))].join("\n"),
  );
  const minding = conclusion.warnings.map((warning) =>
    wrap(`- ${warning}`, width - 2).replaceAll("\n", "\n  "),
  );
  return [
    wrap(verdict, width),
    ...tables,
    ...(minding.length === 0 ? [] : [[style.yellow("Mind"), ...minding].join("\n")]),
    `Brackets hold intervals: ${conclusion.intervals.text}.`,
  ].join("\n\n");
}

/** Each metric's name on a line of its own, above its rows: names are long, and none is cut. */
function tableText({ columns, rows }: TextTable): string {
  const body = rows.map(([, domain = "", ...cells]) => [`  ${domain}`, ...cells]);
  const [titles = "", rule = "", ...lines] = table(columns.slice(1), body, width).split("\n");
  const named = rows.flatMap(([metric = ""], at) => {
    const line = lines[at] ?? "";
    return metric === "" ? [line] : [metric, line];
  });
  return [titles, rule, ...named].join("\n");
}
