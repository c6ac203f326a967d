import type { Thumbnail } from "../../images/thumbnail.js";
import type { Drawing, Figure } from "../../views/figures/figure.js";
import type { Card, Part, Picture } from "../../views/report.js";
import type { Words } from "../../views/view.js";
import { svgOf } from "../drawing/svg.js";
import { type Content, type Html, html, trusted } from "./html.js";
import { tableOf, wordsOf } from "./html-table.js";

/** Parts of a report as a page shows them, one below the other. */
export async function partsOf(parts: readonly Part[], isInCard = false): Promise<Html> {
  const shown: Html[] = [];
  for (const part of parts) shown.push(await partOf(part, isInCard));
  return html`${shown}`;
}

async function partOf(part: Part, isInCard: boolean): Promise<Html> {
  if (typeof part === "string" || "words" in part) {
    return html`<p class="${isInCard ? "small" : "prose"}">${wordsOf(part)}</p>\n`;
  }
  if ("columns" in part) return tableOf(part, isInCard ? { look: "bare" } : {});
  if ("spec" in part) return plotFigure(part);
  if ("heading" in part) return html`<h3>${wordsOf(part.heading)}</h3>\n`;
  if ("items" in part) return listOf(part.items);
  if ("commands" in part) return html`<pre><code>${part.commands.join("\n")}</code></pre>\n`;
  if ("facts" in part) {
    return html`<dl class="facts">
${part.facts.map(([term, what]) => html`<dt>${term}</dt><dd>${wordsOf(what)}</dd>\n`)}</dl>\n`;
  }
  if ("pictures" in part) {
    const pictures = await Promise.all(part.pictures.map(pictureOf));
    const beside = part.beside && html`<div>${await partsOf(part.beside, isInCard)}</div>\n`;
    return html`<div class="pair">\n${pictures}\n${beside}</div>\n`;
  }
  if ("cards" in part) {
    const cards: Html[] = [];
    for (const card of part.cards) cards.push(await cardOf(card, part.isWide));
    return part.isWide ? html`${cards}` : html`<div class="cards">\n${cards}</div>\n`;
  }
  return html`<details><summary>${part.summary}</summary>
${await partsOf(part.parts, isInCard)}</details>\n`;
}

/** Sentences, one below the other. */
export const listOf = (items: readonly Words[]): Html =>
  html`<ul class="also">${items.map((item) => html`<li>${wordsOf(item)}</li>`)}</ul>\n`;

/** Pictures in a frame, with what is said of them. */
export async function cardOf({ id, tags = [], text, parts }: Card, isWide = false): Promise<Html> {
  const named: Content =
    id === undefined
      ? html` aria-label="An example"`
      : html` id="${id}"${text !== undefined && html` aria-labelledby="${id}-text"`}`;
  return html`<article class="${isWide ? "card strip" : "card"}"${named}>
${tags.length > 0 && html`<p class="tags">${tags.map((tag) => html`<span>${tag}</span>`)}</p>\n`}${
  text !== undefined && html`<p class="said"${id && html` id="${id}-text"`}>“${text}”</p>\n`
}${await partsOf(parts, true)}</article>
`;
}

async function pictureOf({ image, alternative, caption, more }: Picture): Promise<Html> {
  const below = more && (await partOf(more, true));
  return picture(
    image,
    alternative,
    caption === undefined && below === undefined
      ? undefined
      : html`${caption !== undefined && wordsOf(caption)}${below}`,
  );
}

/**
 * A plot with its caption. On a narrow page its narrow drawing stands in its place; one that has none
 * scrolls rather than shrinks.
 */
export async function plotFigure({
  spec,
  narrow,
  caption,
}: Drawing & Pick<Figure, "caption">): Promise<Html> {
  const name = `Chart: ${spec.description ?? "plot"}`;
  const drawn = async (one: Drawing["spec"], look: string) => {
    const svg = await svgOf(one);
    const { width, height } = sizeOf(svg);
    const small = look !== " narrow" && width < smallBelow ? " small" : "";
    const tall = height > tallAbove ? " tall" : "";
    const fitted = height > fittedAbove && height <= fittedBelow ? " fitted" : "";
    return html`<div class="plot scroll${look}${small}${tall}${fitted}" role="region" aria-label="${name}" tabindex="0">${trusted(fitted === "" ? svg : svg.replace("<svg ", atLeft))}</div>
`;
  };
  return html`<figure>
${await drawn(spec, narrow === undefined ? "" : " wide")}${narrow && (await drawn(narrow, " narrow"))}<figcaption>${caption}</figcaption>
</figure>
`;
}

/** Pixels: one of less is not drawn out over the page's width. */
const smallBelow = 400;

/** One of more scrolls on the first screen, where it leaves the notice its room. */
const tallAbove = 640;

/** A drawing that is less wide than its place begins where the texts begin. */
const atLeft = '<svg preserveAspectRatio="xMinYMin" ';

/** One between is drawn as much smaller as the first screen asks for, so that none of its axis is out of sight. */
const [fittedAbove, fittedBelow] = [540, 700] as const;

function sizeOf(svg: string): { width: number; height: number } {
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)/.exec(svg) ?? [];
  return { width: Number(width), height: Number(height) };
}

/** Notice that the lab's pictures are no photographs. */
export const labNotice = html`<aside class="notice" role="note">
<p><b>This is a world of clip art.</b> The lab drew every image here, and its metrics are small models that know nothing else. What they do shows how to judge a metric; it is never evidence about real text-to-image metrics.</p>
</aside>`;

/** Credit of the icons in the lab's pictures: one set asks to be named wherever it is shown; all are. */
export const artCredit = html`<p>The lab's pictures contain icons of Noto Emoji (© Google LLC, Apache-2.0), Fluent Emoji (© Microsoft Corporation, MIT) and Twemoji (© Twitter, Inc and other contributors, CC BY 4.0), recoloured and composed; see Touchstone's NOTICE.</p>
`;

/** An image that lies in the page itself, with what it shows in words; the words alone where there is none. */
export function picture(image: Thumbnail | undefined, alternative: string, caption: Content): Html {
  if (image === undefined) return html`<figure><figcaption>${caption}</figcaption></figure>`;
  const { mediaType, bytes, width, height } = image;
  const source = `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}`;
  return html`<figure><img src="${source}" width="${width}" height="${height}" alt="${alternative}">${
    caption !== undefined && html`<figcaption>${caption}</figcaption>`
  }</figure>`;
}
