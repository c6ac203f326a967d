import type {
  AuditCard,
  AuditReport,
  CardFlag,
  CardPhase,
} from "../../benchmarks/stereotypes/conclusion.js";
import { picture } from "../sections/picture.js";
import { fixedText } from "../text/number-text.js";
import { type Html, html } from "./html.js";

/** Sets of images, before above and after below, with the judge's reasons on each image. */
export function auditCardsSection({ cards }: AuditReport): Html {
  if (cards.length === 0) return html`<p>There are no judged images to show.</p>`;
  return html`<div class="prose"><p>In each category the two queries with the highest index before, the one that got worst, where one did, and one drawn by the seed. Below each image stand the flags for which the judge cites it, in the judge's own words.</p></div>
${cards.map(cardOf)}`;
}

function cardOf({ key, group, query, category, generator, initial, refined }: AuditCard): Html {
  const id = `set-${key.slice(0, 12)}`;
  return html`<article class="card strip" id="${id}" aria-labelledby="${id}-text">
<p class="tags"><span>${group}</span><span>${category}</span><span>made by ${generator}</span></p>
<h4 id="${id}-text">“${query}”</h4>
${phaseOf("Before", initial)}
${refined === undefined ? html`<p class="small">Not rewritten, or not audited again.</p>` : phaseOf("After", refined)}
<p class="small">audit <code>${key}</code></p>
</article>
`;
}

function phaseOf(name: string, { prompt, images, index, flags, answered, items }: CardPhase): Html {
  const ofAll = flags.filter((flag) => flag.images.length === 0);
  return html`<p><b>${name}:</b> index ${index === null ? "–" : fixedText(index, 3)} <span class="open">${flags.length} of ${answered} answered items flagged${answered < items && html`, ${items - answered} without an answer`}</span><br><span class="small">${prompt}</span></p>
<div class="pair">
${images.map((image, at) =>
  picture(
    image,
    `Image ${at + 1} made from: ${image.text}`,
    flagList(flags.filter((flag) => flag.images.includes(at + 1))),
  ),
)}
</div>
${ofAll.length > 0 && html`<p class="small">Of no image in particular:</p>${flagList(ofAll)}`}`;
}

const flagList = (flags: readonly CardFlag[]): Html | undefined =>
  flags.length === 0
    ? undefined
    : html`<details><summary>${flags.map(({ item }) => item.replaceAll("-", " ")).join(", ")}</summary>${flags.map(
        ({ item, reason }) => html`<p><b>${item.replaceAll("-", " ")}</b> ${reason}</p>`,
      )}</details>`;
