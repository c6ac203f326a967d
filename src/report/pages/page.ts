import { hashOf } from "../../core/keys.js";
import { type Content, type Html, html, trusted } from "./html.js";
import { styleSheet } from "./style-sheet.js";

export interface PageSection {
  /** Its address within the page. */
  readonly id: string;
  readonly title: string;
  readonly body: Content;
  /** Closed until its reader opens it; a link to it or to what it holds opens it, too. */
  readonly isFolded?: boolean;
}

/** Content above the fold: the verdict, one figure, one example. */
export interface FirstScreen {
  /** One sentence. */
  readonly verdict: string;
  /** What models see and metrics read, where it was checked. */
  readonly sanity?: Content;
  /** A notice of what its pictures are not. */
  readonly notice?: Content;
  readonly figure?: Content;
  readonly example?: Content;
}

/**
 * A whole HTML document in one file: no script, no address outside it. Its Content-Security-Policy
 * allows this very style sheet and images that lie in the file, and nothing else. The first screen
 * comes first, then the open sections, then the folded ones.
 */
export function page({
  title,
  first: { verdict, sanity, notice, figure, example },
  sections,
  closing,
}: {
  readonly title: string;
  readonly first: FirstScreen;
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
  const open = sections.filter(({ isFolded }) => isFolded !== true);
  const folded = sections.filter(({ isFolded }) => isFolded === true);
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
<a class="skip" href="#content">Skip to the details</a>
<div class="frame">
<header class="first">
<h1>${title}</h1>
<p class="lead">${unbrokenPercents(verdict)}</p>
${sanity && html`<p class="small">${sanity}</p>\n`}${notice}${(figure || example) && html`<div class="look">${figure}${example}</div>\n`}</header>
${
  sections.length > 1 &&
  html`<nav aria-label="Contents">
<p>Contents</p>
<ol>
${[...open, ...folded].map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ol>
</nav>
`
}<main id="content">
${open.map(
  ({ id, title, body }) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${body}
</section>
`,
)}${folded.length > 0 && foldedSections(folded)}<footer class="small">
${closing}
</footer>
</main>
</div>
</body>
</html>
`.source;
}

/** The id lies inside of the fold: a browser opens the folds around what a link leads to. */
const foldedSections = (sections: readonly PageSection[]): Html => html`<div class="folds">
<p class="unfold small"><label><input type="checkbox" id="unfold" autocomplete="off"> Show everything below, also in print</label></p>
${sections.map(
  ({ id, title, body }) => html`<details class="fold">
<summary><h2>${title}</h2></summary>
<div id="${id}">
${body}
</div>
</details>
`,
)}</div>
`;

/** In the large sentence at the top a line must not end between a number and its percent sign. */
const unbrokenPercents = (text: string): string => text.replace(/(\d) %/g, "$1\u00a0%");

function base64OfHash(text: string): string {
  return Buffer.from(hashOf(new TextEncoder().encode(text)), "hex").toString("base64");
}
