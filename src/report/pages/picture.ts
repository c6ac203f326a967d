import type { Thumbnail } from "../../images/thumbnail.js";
import { countText, fixedText } from "../../views/number-text.js";
import type { ImagePair } from "../../views/view.js";
import { type Content, type Html, html } from "./html.js";

/** An image that lies in the page itself, with what it shows in words. */
export function picture(
  { mediaType, bytes, width, height }: Thumbnail,
  alternative: string,
  caption: Content,
): Html {
  const source = `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}`;
  return html`<figure><img src="${source}" width="${width}" height="${height}" alt="${alternative}">${
    caption !== undefined && html`<figcaption>${caption}</figcaption>`
  }</figure>`;
}

/** The pair as an example on a page. */
export function imagePair(
  { why, text, sides, metric, isAsPeople }: ImagePair,
  images: readonly [first: Thumbnail, second: Thumbnail],
): Html {
  const [first, second] = sides;
  const isRated = first.human !== null || second.human !== null;
  return html`<article class="card" aria-label="An example">
<p class="tags"><span>${why}</span></p>
<p class="said">“${text}”</p>
<div class="pair">
${picture(images[0], `Image of ${first.name}, made for: ${text}`, html`<b>${first.name}</b>`)}
${picture(images[1], `Image of ${second.name}, made for: ${text}`, html`<b>${second.name}</b>`)}
</div>
<table>
<thead><tr><th scope="col">by</th>${sides.map(({ name }) => html`<th scope="col" class="number">${name}</th>`)}<th scope="col">order</th></tr></thead>
<tbody>
<tr><th scope="row">${metric}</th>${sides.map(({ score }) => html`<td class="number">${fixedText(score, 3)}</td>`)}<td>${markOf(isAsPeople)}</td></tr>
${isRated && html`<tr><th scope="row">people</th>${sides.map(({ human }) => html`<td class="number">${human === null ? "–" : ratingText(human)}</td>`)}<td></td></tr>\n`}</tbody>
</table>
</article>
`;
}

const ratingText = (rating: number): string =>
  Number.isInteger(rating) ? countText(rating) : fixedText(rating, 2);

function markOf(isAsPeople: boolean | null): Html | "–" {
  if (isAsPeople === null) return "–";
  return isAsPeople
    ? html`<span class="right">✓ as people</span>`
    : html`<span class="wrong">✗ not as people</span>`;
}
