import type { LeftOutPrompts } from "../../analysis/pairs/retention.js";
import type { PrototypicalityReport } from "../../benchmarks/prototypicality/conclusion.js";
import { groupBy } from "../../core/arrays.js";
import { countText, pluralText } from "../../views/number-text.js";
import { dataTable } from "../pages/data-table.js";
import { type Html, html } from "../pages/html.js";

/** Tasks without an answer, by step and reason; and which pairs of the taxonomy could not be asked. */
export function unanswered({ unscored, leftOut }: PrototypicalityReport): Html {
  return html`${unscoredTable(unscored)}
<h3>Pairs of the taxonomy that were left out</h3>
${
  leftOut.length === 0
    ? html`<p>Every prompt that was planned was written.</p>`
    : html`${groupTable(leftOut)}
<details><summary>All ${pluralText(leftOut.length, "line")} of it, pair by pair</summary>
${pairTable(leftOut)}</details>`
}`;
}

/** The records of a run without an answer, by step and reason. */
export const unscoredTable = (unscored: PrototypicalityReport["unscored"]): Html =>
  html`<p class="prose">Records without an answer are excluded from every rate above; they never count as 0.</p>
${
  unscored.length === 0
    ? html`<p>Every record of this run has an answer.</p>`
    : dataTable({
        name: "Unscored records",
        caption: html`<b>Unscored records</b> by step and reason.`,
        columns: [
          { title: "step", kind: "short" },
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
}`;

/** By domain, category and reason: how many pairs, and which. */
function groupTable(leftOut: readonly LeftOutPrompts[]): Html {
  const groups = groupBy(leftOut, ({ domain, category, reason }) =>
    JSON.stringify([domain, category, reason]),
  );
  const first = ([one]: readonly LeftOutPrompts[]) => `${one?.domain} ${one?.category}`;
  return dataTable({
    name: "Pairs left out",
    caption: html`<b>Pairs left out.</b> They have prompts that were not written or can't be drawn. Nothing was put in their place.`,
    columns: [
      { title: "domain", kind: "short" },
      { title: "category", kind: "short" },
      { title: "reason", kind: "short" },
      { title: "prompts", kind: "number" },
      { title: "atypical against typical" },
    ],
    rows: [...groups.values()]
      .sort((a, b) => (first(a) < first(b) ? -1 : 1))
      .map((group) => {
        const pairs = new Set(group.map(pairText));
        const prompts = group.reduce((sum, one) => sum + one.prompts, 0);
        const [one] = group;
        return {
          heading: one?.domain,
          cells: [
            categoryText(one?.category ?? ""),
            one?.reason,
            countText(prompts),
            [...pairs].sort().join("; "),
          ],
        };
      }),
  });
}

function pairTable(leftOut: readonly LeftOutPrompts[]): Html {
  return dataTable({
    name: "Pairs left out, one by one",
    caption: html`<b>Pairs left out,</b> with the first reason that was found.`,
    columns: [
      { title: "atypical against typical" },
      { title: "domain, category" },
      { title: "prompts", kind: "number" },
      { title: "reason", kind: "short" },
      { title: "why" },
    ],
    rows: leftOut.map((one) => ({
      heading: pairText(one),
      cells: [
        `${one.domain}, ${categoryText(one.category)}`,
        countText(one.prompts),
        one.reason,
        one.detail,
      ],
    })),
  });
}

const pairText = ({ nonPrototype, prototype }: LeftOutPrompts) => `${nonPrototype} – ${prototype}`;
const categoryText = (category: string) => category.replaceAll("_", " ");
