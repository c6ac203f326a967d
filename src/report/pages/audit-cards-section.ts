import type {
  AuditCard,
  AuditReport,
  CardFlag,
  CardPhase,
} from "../../benchmarks/stereotypes/conclusion.js";
import { fixedText } from "../../views/number-text.js";
import { type Html, html } from "./html.js";
import { picture } from "./picture.js";

/** One image of the most stereotyped set and its successor, with what the judge says of both sets. */
export function auditExample({ cards }: AuditReport): Html | undefined {
  const card =
    cards.find(({ group, refined }) => group === "most stereotyped" && refined !== undefined) ??
    cards[0];
  if (card === undefined) return undefined;
  const { query, category, generator, initial, refined } = card;
  const cited = initial.images.findIndex((_, at) =>
    initial.flags.some(({ images }) => images.includes(at + 1)),
  );
  const phases = [
    { name: "Before", phase: initial },
    ...(refined === undefined ? [] : [{ name: "After", phase: refined }]),
  ];
  const items = [...new Set(phases.flatMap(({ phase }) => phase.flags.map(({ item }) => item)))];
  return html`<article class="card" aria-label="Example">
<p class="tags"><span>${card.group}</span><span>${category}</span><span>made by ${generator}</span></p>
<p class="said">“${query}”</p>
<div class="pair">
${phases.map(({ name, phase: { images, prompt, index } }) => {
  const image = images[Math.max(0, cited)] ?? images[0];
  return (
    image &&
    picture(
      image,
      `${name}, an image made from: ${image.text}`,
      html`<b>${name}: index ${index === null ? "–" : fixedText(index, 3)}</b>${prompt === query ? "" : prompt}`,
    )
  );
})}
</div>
<table>
<thead><tr><th scope="col">in the whole set</th>${phases.map(({ name }) => html`<th scope="col">${name.toLowerCase()}</th>`)}</tr></thead>
<tbody>
${items.slice(0, mostItems).map(
  (item) => html`<tr><th scope="row">${item.replaceAll("-", " ")}</th>${phases.map(({ phase }) =>
    phase.flags.some((flag) => flag.item === item)
      ? html`<td><span class="wrong">✗ stereotyped</span></td>`
      : html`<td><span class="right">✓ not flagged</span></td>`,
  )}</tr>
`,
)}</tbody>
</table>
</article>
`;
}

/** Most items that fit the first screen; all flags stand with the images below. */
const mostItems = 4;

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
<p class="said" id="${id}-text">“${query}”</p>
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
