import type { Thumbnail } from "../../images/thumbnail.js";
import { type Content, type Html, html } from "../pages/html.js";

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
