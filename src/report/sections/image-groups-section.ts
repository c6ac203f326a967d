import type { ImageGroup, ImageGroups } from "../../experiments/ensemble/image-groups.js";
import type { Thumbnail } from "../../images/thumbnail.js";
import { countText, fixedText, pluralText } from "../../views/number-text.js";
import { type Html, html } from "../pages/html.js";
import { picture } from "../pages/picture.js";

/** The first picture of a pair, small, and what both pictures should show. */
export interface ShownPair extends Thumbnail {
  readonly caption: string;
}

/** The pair with an id; undefined where there is none. */
export type ShownPairs = (id: string) => Promise<ShownPair | undefined>;

/** A prompt in words. */
export interface ShownPrompt {
  readonly id: string;
  readonly system: string;
  readonly task: string;
  readonly question: string;
}

/**
 * Each group of images with the pictures nearest to its centroid and its heaviest prompts, as figure 4
 * of the paper; below, the prompts in full.
 *
 * @param prompts in the order of the table's probabilities
 */
export async function imageGroupsSection(
  { groups, objective, lambda, labels, prompts: count }: ImageGroups,
  { shown, prompts }: { readonly shown: ShownPairs; readonly prompts: readonly ShownPrompt[] },
): Promise<Html> {
  const cards = await Promise.all(
    groups.map(async (group, at) => card(group, { number: at + 1, shown, prompts })),
  );
  const heard = new Set(groups.flatMap(({ heaviest }) => heaviest.map(({ prompt }) => prompt)));
  return html`<div class="prose"><p>One fit of MMB, as figure 4 of the paper shows it: ${objective}, lambda ${lambda}, K = ${groups.length}, on ${pluralText(labels, "label")}. For each group the first pictures of the pairs nearest to its centroid, and the prompts with most weight in it; were all ${count} heard alike, each would have ${fixedText(1 / count, 3)}.</p></div>
<div class="cards">
${cards}</div>
<details><summary>The prompts in words</summary>
<dl class="facts">
${[...heard]
  .sort((a, b) => a - b)
  .map((prompt) => {
    const { id = "", system, task, question } = prompts[prompt] ?? {};
    return html`<dt><code>${id}</code></dt><dd>${system} <br>${task} <br>${question}</dd>\n`;
  })}</dl></details>`;
}

async function card(
  { pairs, support, nearest, heaviest }: ImageGroup,
  {
    number,
    shown,
    prompts,
  }: {
    readonly number: number;
    readonly shown: ShownPairs;
    readonly prompts: readonly ShownPrompt[];
  },
): Promise<Html> {
  const pictures = await Promise.all(nearest.map(shown));
  return html`<article class="card">
<p class="tags"><b>Group ${number}</b><span>${countText(pairs)} of the clustered pairs</span><span>labels ${fixedText(support, 1)}</span></p>
<div class="nearest">${pictures.map((one) => one && picture(one, `For: ${one.caption}`, undefined))}</div>
<table><thead><tr><th scope="col">heaviest prompts</th><th scope="col" class="number">weight</th></tr></thead>
<tbody>
${heaviest.map(({ prompt, weight }) => html`<tr><th scope="row">${wordsOf(prompts[prompt])}</th><td class="number">${fixedText(weight, 3)}</td></tr>\n`)}</tbody></table>
</article>
`;
}

/** Who judges and by what: the first of what the system is told, and the last of the task. */
function wordsOf(prompt: ShownPrompt | undefined): Html {
  if (prompt === undefined) return html`–`;
  const sentences = (text: string) => text.split(/(?<=[.?!])\s/);
  const [who] = sentences(prompt.system);
  return html`“${who} … ${sentences(prompt.task).at(-1)}”<br><small>${prompt.id}</small>`;
}
