import type { Thumbnail } from "../../images/thumbnail.js";
import { fixedText } from "../../views/number-text.js";
import { outcomeMark } from "../benchmarks/prototypicality/cards.js";
import { type Html, html } from "../pages/html.js";
import { picture } from "../pages/picture.js";

/** Two images for one text, which of them is better, and what each judge says. */
export interface JudgedPair {
  /** Why this pair is shown. */
  readonly why: string;
  readonly text: string;
  readonly images: readonly [first: Thumbnail, second: Thumbnail];
  readonly isFirstBetter: boolean;
  readonly judges: readonly {
    readonly name: string;
    /** P(the first is better), in [0, 1]; null for no answer. */
    readonly probability: number | null;
  }[];
}

/** A pair of images with a tick or a cross for each judge of it. */
export function judgedPair({ why, text, images, isFirstBetter, judges }: JudgedPair): Html {
  const [first, second] = images;
  const side = (image: Thumbnail, name: string, isBetter: boolean) =>
    picture(
      image,
      `Image ${name}, made for: ${text}`,
      html`<b>${name}: ${isBetter ? "better" : "worse"}</b>`,
    );
  return html`<article class="card" aria-label="An example">
<p class="tags"><span>${why}</span></p>
<p class="said">“${text}”</p>
<div class="pair">
${side(first, "A", isFirstBetter)}
${side(second, "B", !isFirstBetter)}
</div>
<table>
<thead><tr><th scope="col">judge</th><th scope="col" class="number">P(A is better)</th><th scope="col">verdict</th></tr></thead>
<tbody>
${judges.map(
  ({ name, probability }) =>
    html`<tr><th scope="row">${name}</th><td class="number">${probability === null ? "–" : fixedText(probability, 3)}</td><td>${markOf(probability, isFirstBetter)}</td></tr>
`,
)}</tbody>
</table>
</article>
`;
}

function markOf(probability: number | null, isFirstBetter: boolean): Html {
  if (probability === null) return outcomeMark("unscored");
  if (probability === 0.5) return outcomeMark("tie");
  return outcomeMark(probability > 0.5 === isFirstBetter ? "right" : "wrong");
}
