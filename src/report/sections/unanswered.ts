import { dataTable } from "../data-table.js";
import { type Html, html } from "../html.js";
import { countText } from "../number-text.js";
import type { PrototypicalityReport } from "../prototypicality-report.js";

/** What has no answer, by step and reason; and which pairs of the taxonomy could not be asked. */
export function unanswered({ unscored, leftOut }: PrototypicalityReport): Html {
  return html`<p class="prose">No answer is a third state: never 0, never a guess, and in no rate above.</p>
${
  unscored.length === 0
    ? html`<p>Every record of this run has an answer.</p>`
    : dataTable({
        name: "Unscored records",
        caption: html`<b>Unscored records</b> by step and reason.`,
        columns: [
          { title: "step" },
          { title: "of" },
          { title: "reason", kind: "short" },
          { title: "records", kind: "number" },
          { title: "asked again on resume" },
          { title: "for example" },
        ],
        rows: unscored.map(({ step, of, reason, count, retryable, detail }) => ({
          heading: step,
          cells: [of, reason, countText(count), retryable ? "yes" : "no", detail],
        })),
      })
}
<h3>Pairs of the taxonomy that were left out</h3>
${
  leftOut.length === 0
    ? html`<p>Every prompt that was planned was written.</p>`
    : dataTable({
        name: "Pairs left out",
        caption: html`<b>Pairs left out.</b> Nothing was put in their place.`,
        columns: [
          { title: "untypical, typical" },
          { title: "domain", kind: "short" },
          { title: "prompts", kind: "number" },
          { title: "reason", kind: "short" },
          { title: "why" },
        ],
        rows: leftOut.map(({ domain, category, nonPrototype, prototype, ...why }) => ({
          heading: `${nonPrototype}, ${prototype}`,
          cells: [`${domain}, ${category}`, countText(why.prompts), why.reason, why.detail],
        })),
      })
}`;
}
