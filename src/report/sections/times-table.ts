import { metricOf } from "../../analysis/inference/metric-name.js";
import type { PrototypicalityReport } from "../../benchmarks/prototypicality/conclusion.js";
import { countText, estimateText } from "../../views/number-text.js";
import { type Html, html } from "../pages/html.js";
import { type Column, dataTable } from "../text/data-table.js";
import { metricCell } from "../text/metric-cell.js";

/** Time, calls and cost of a score, by metric. */
export function timesTable(report: PrototypicalityReport): Html {
  const { times, fromLab } = report;
  const isCalled = times.some(({ calls }) => calls !== null);
  const ofCalls = ["calls", "tokens", "cost (US dollars)"];
  const number = (title: string): Column => ({ title, kind: "number" });
  return dataTable({
    name: "What a score takes",
    caption: html`<b>What a score takes</b>, by the run's trace. Seconds run from asking to the answer, [95 % interval], with waiting, limits and retries; a rate counts scores while any was asked for. Both depend on the machine, its load and how many images are asked about at once; the first metric also opens the images. ${
      isCalled && "Calls, tokens and cost are those of hosted models, for an image. "
    }Answers from a cache are excluded.${
      fromLab &&
      html` The lab's models run in this process and none is large: <code>touchstone experiment proto-score --lab</code> counts their calls and times them one after another on the same pairs.`
    }`,
    columns: [
      { title: "metric" },
      ...["images", "seconds", "scores/s"].map(number),
      ...(isCalled ? ofCalls : []).map(number),
    ],
    rows: times.map(({ metric, n, seconds, perSecond, calls, tokens, cost }) => ({
      heading: metricCell(metricOf(report, metric)),
      cells: [
        countText(n),
        estimateText(seconds),
        threeFigures(perSecond),
        ...(isCalled ? [calls, tokens, cost].map(threeFigures) : []),
      ],
    })),
  });
}

const threeFigures = (value: number | null) =>
  value === null ? "–" : estimateText({ value, low: null, high: null });
