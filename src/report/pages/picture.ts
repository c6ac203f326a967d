import type { Thumbnail } from "../../images/thumbnail.js";
import { type Content, type Html, html } from "./html.js";

/** An image that lies in the page itself, with what it shows in words; the words alone where there is none. */
export function picture(image: Thumbnail | undefined, alternative: string, caption: Content): Html {
  if (image === undefined) return html`<figure><figcaption>${caption}</figcaption></figure>`;
  const { mediaType, bytes, width, height } = image;
  const source = `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}`;
  return html`<figure><img src="${source}" width="${width}" height="${height}" alt="${alternative}">${
    caption !== undefined && html`<figcaption>${caption}</figcaption>`
  }</figure>`;
}
