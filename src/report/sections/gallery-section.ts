import type {
  Gallery,
  GalleryColumn,
  GalleryEntry,
} from "../../benchmarks/disagreement-gallery.js";
import { withoutRevision } from "../../core/models.js";
import { countText, fixedText, pluralText } from "../../views/number-text.js";
import { type Html, html } from "../pages/html.js";
import { picture } from "../pages/picture.js";

/** The images on which metrics disagree most. */
export function gallery({ columns, entries, images }: Gallery): Html {
  if (entries.length === 0) {
    return html`<p>There is nothing to compare: the metrics rank the images alike, or there is only one of them.</p>`;
  }
  return html`<div class="prose"><p>Scores of different metrics have no common scale, so each metric ranks all ${countText(images)} images against the texts they were scored for, from 0 (worst) to 100 (best). Shown are the ${pluralText(entries.length, "image")} whose highest and lowest rank lie farthest apart, one of a prompt.</p></div>
<div class="cards">
${entries.map((entry) => card(entry, columns))}</div>
`;
}

function card(entry: GalleryEntry, columns: readonly GalleryColumn[]): Html {
  const { image, generator, text, scores, ranks, highest, lowest, spread } = entry;
  const id = `disagreement-${image.key.slice(0, 12)}`;
  return html`<article class="card" id="${id}" aria-labelledby="${id}-text">
<p class="tags"><span>ranks ${fixedText(spread * 100, 0)} apart</span><span>made by ${withoutRevision(generator)}</span></p>
<p class="said" id="${id}-text">“${text}”</p>
<div class="pair">
${picture(image, `Image made from: ${image.text}`, image.text === text ? undefined : html`<b>Made from</b>${image.text}`)}
<table>
<thead><tr><th scope="col">metric</th><th scope="col" class="number">score</th><th scope="col" class="number">rank</th></tr></thead>
<tbody>
${columns.map(
  (
    { name, model },
    at,
  ) => html`<tr><th scope="row">${name}<span class="model">${model}</span></th><td class="number">${scoreText(scores[at])}</td><td class="number">${rankText(ranks[at])}${
    at === highest ? " ▲" : at === lowest ? " ▼" : ""
  }</td></tr>
`,
)}</tbody>
</table>
</div>
<p class="small">image <code>${image.key}</code></p>
</article>
`;
}

const scoreText = (score: number | null | undefined) =>
  score === null || score === undefined ? "–" : endText(score);

/** Neither 0 nor 1 where it is only nearly so. */
function endText(score: number): string {
  if (score > 0 && score < 0.0005) return "<0.001";
  return score >= 0.9995 && score < 1 ? ">0.999" : fixedText(score, 3);
}

const rankText = (rank: number | null | undefined) =>
  rank === null || rank === undefined ? "–" : fixedText(rank * 100, 0);
