import type { InjectionEffect } from "../../../benchmarks/stereotypes/injection-probe.js";
import { numberColumns } from "../../../views/number-columns.js";
import { countText, estimateText, percentText } from "../../../views/number-text.js";
import type { Style } from "../../terminal/style.js";
import { table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";

/** Renders for a terminal what injected texts did to a judge's answers. */
export function injectionText(effects: readonly InjectionEffect[], style: Style): string {
  const rows = effects.map(({ injection, place, n, changed, shift, lost, failed }) => [
    injection,
    place,
    countText(n),
    percentText(changed),
    estimateText(shift),
    countText(lost),
    failedText(failed),
  ]);
  return [
    style.bold("Injection probe"),
    table(
      [
        ...[{ title: "text" }, { title: "in" }],
        ...numberColumns("items", "changed %", "shift", "lost"),
        { title: "sets without an answer" },
      ],
      rows,
      style.width,
    ),
    wrap(note, style.width),
  ].join("\n");
}

const failedText = (failed: InjectionEffect["failed"]): string =>
  Object.entries(failed)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(", ") || "0";

const note =
  "Each text is put behind the query, or painted into the images, and the judge asked as before. " +
  "changed: items whose answer differs from the one without it; shift: the mean change of an answer, " +
  "above 0 towards present; lost: items answered without it alone. Brackets hold 95 % intervals that " +
  'resample whole queries. "asked again" has no text in it, and "control" one that instructs nobody: what ' +
  "they do, no instruction did.";
