import { defaultTieTolerance, type TieOptions } from "../../analysis/pairs/score-ties.js";
import type { PrototypicalityReport } from "../../benchmarks/prototypicality/conclusion.js";
import { canonicalJson } from "../../core/json.js";
import { placed } from "../../core/models.js";
import { shellWord } from "../../core/shell-word.js";
import { countText } from "../../views/number-text.js";
import { dataTable } from "../pages/data-table.js";
import { type Html, html } from "../pages/html.js";

/** How every number was made, and how to get from a number to the records behind it. */
export function methods({
  metrics,
  provenance,
  tieRule,
  tieTolerance = defaultTieTolerance,
  unfiltered = false,
}: Pick<PrototypicalityReport, "metrics" | "provenance" | "unfiltered"> &
  TieOptions & { readonly tieRule: string }): Html {
  const flags = [
    unfiltered ? " --unfiltered" : "",
    tieTolerance === defaultTieTolerance ? "" : ` --tie-tolerance ${tieTolerance}`,
  ].join("");
  const { software, seed, intervals, commands, runFolder, sources } = provenance;
  return html`<dl class="facts">
<dt>software</dt><dd>${software.join(", ")}</dd>
<dt>seed</dt><dd>${seed}</dd>
<dt>intervals</dt><dd>${intervals}</dd>
<dt>tie rule</dt><dd>${tieRule}</dd>
<dt>keys</dt><dd>a hash of what determines a record: item, image, step or metric with version and parameters, model identity, trial</dd>
</dl>
<h3>The same again</h3>
<p class="small">In a clone, <code>touchstone</code> is <code>./bin/touchstone</code>.</p>
${commandsOf("The run was made by", commands)}
${commandsOf("This page is made from the run by", [`touchstone report ${shellWord(runFolder)}${flags}`])}
<h3>Metrics</h3>
${metricTable(metrics)}
<h3>Models</h3>
${dataTable({
  name: "Models",
  caption: html`<b>Models</b> by provider, name and revision; of a trained lab model the revision begins the SHA-256 of its weights, of the lab's painter it says how often a picture goes wrong, and in what. All of it goes into the keys of the records.`,
  columns: [{ title: "model" }, { title: "asked by" }],
  rows: provenance.models.map(({ name, steps }) => ({
    heading: html`<code>${name}</code>`,
    cells: [steps.join(", ")],
  })),
})}
<h3>Steps and records</h3>
${dataTable({
  name: "Steps",
  caption: html`<b>Steps</b> of the run with their parameters.`,
  columns: [{ title: "step", kind: "short" }, { title: "parameters" }],
  rows: provenance.steps.map(({ name, parameters }) => ({
    heading: name,
    cells: [html`<code>${canonicalJson(parameters)}</code>`],
  })),
})}
${dataTable({
  name: "Records",
  caption: html`<b>Records</b> that this page was made from. Left out is what does not apply, such as a prompt that can't be drawn; what else has no answer is unscored.`,
  columns: [
    { title: "type" },
    { title: "with an answer", kind: "number" },
    { title: "left out", kind: "number" },
    { title: "unscored", kind: "number" },
  ],
  rows: provenance.records.map(({ type, done, leftOut, unscored }) => ({
    heading: type,
    cells: [countText(done), countText(leftOut), countText(unscored)],
  })),
})}
${
  sources.length > 0 &&
  dataTable({
    name: "Sources",
    caption: html`<b>Sources</b> that were read, by the SHA-256 of their content.`,
    columns: [{ title: "source" }, { title: "SHA-256" }],
    rows: sources.map(({ path, sha256 }) => ({
      heading: path,
      cells: [html`<code>${sha256}</code>`],
    })),
  })
}
<h3>From a number to its records</h3>
<div class="prose">
<p>Every rate counts score records; <code>records/</code> in the run folder holds all of them, one JSON line each. A picture above lists the keys of its own. One score's life (its image, the exact question, the value, when it was asked) is told by</p>
<pre><code>touchstone explain KEY --run ${runFolder}</code></pre>
<p>where the beginning of a key is enough if no other begins like it.</p>
</div>`;
}

function commandsOf(title: string, commands: readonly string[]): Html | undefined {
  if (commands.length === 0) return undefined;
  return html`<p class="small">${title}</p>
<pre><code>${commands.join("\n")}</code></pre>
`;
}

function metricTable(metrics: PrototypicalityReport["metrics"]): Html {
  return dataTable({
    name: "Metrics",
    caption: html`<b>Metrics</b> as their score records describe them.`,
    columns: [
      { title: "metric" },
      { title: "convention" },
      { title: "template" },
      { title: "statistic" },
      { title: "range", kind: "number" },
      { title: "better" },
    ],
    rows: metrics.map(({ metric, version, model, baseUrl, convention, template, ...number }) => ({
      heading: html`${metric} <small>version ${version}</small><span class="model">${placed({ model, baseUrl })}</span>`,
      cells: [
        convention ?? "–",
        template === undefined ? "–" : html`<code>${template}</code>`,
        number.statistic,
        `${number.range[0]} to ${number.range[1]}`,
        number.direction,
      ],
    })),
  });
}
