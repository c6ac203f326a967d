import { type Html, html } from "../pages/html.js";

/** Another benchmark's report beside this one. */
export interface FurtherChapter {
  readonly title: string;
  readonly verdict: readonly string[];
  /** Relative to this page. */
  readonly address: string;
}

/** Verdicts of other benchmarks, with links to their own pages. */
export function furtherChapters(chapters: readonly FurtherChapter[]): Html {
  return html`<p class="prose">Other failures of metrics and judges, tried in the same world. Each is a run of its own, with a page of its own.</p>
${chapters.map(
  ({ title, verdict, address }) => html`<h3><a href="${address}">${title}</a></h3>
<ul class="also">${verdict.map((sentence) => html`<li>${sentence}</li>`)}</ul>
`,
)}`;
}
