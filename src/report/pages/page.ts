import { hashOf } from "../../core/keys.js";
import { type Content, type Html, html, trusted } from "./html.js";
import { styleSheet } from "./style-sheet.js";

export interface PageSection {
  /** Its address within the page. */
  readonly id: string;
  readonly title: string;
  readonly body: Content;
}

/**
 * A whole HTML document in one file: no script, no address outside it. Its Content-Security-Policy
 * allows this very style sheet and images that lie in the file, and nothing else.
 */
export function page({
  title,
  opening,
  sections,
  closing,
}: {
  readonly title: string;
  readonly opening: Content;
  readonly sections: readonly PageSection[];
  readonly closing: Content;
}): string {
  const policy = [
    "default-src 'none'",
    "img-src data:",
    `style-src 'sha256-${base64OfHash(styleSheet)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${trusted(styleSheet)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the results</a>
<div class="frame">
<header class="page">
${unbrokenPercents(html`${opening}`)}
</header>
<nav aria-label="Contents">
<p>Contents</p>
<ol>
${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ol>
</nav>
<main id="content">
${sections.map(
  ({ id, title, body }) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${body}
</section>
`,
)}<footer class="small">
${closing}
</footer>
</main>
</div>
</body>
</html>
`.source;
}

/** In the large sentence at the top a line must not end between a number and its percent sign. */
const unbrokenPercents = ({ source }: Html): Html =>
  trusted(
    source.replace(/<p class="lead">.*?<\/p>/gs, (lead) => lead.replace(/(\d) %/g, "$1\u00a0%")),
  );

function base64OfHash(text: string): string {
  return Buffer.from(hashOf(new TextEncoder().encode(text)), "hex").toString("base64");
}
