import { html } from "./html.js";

/** Notice that the lab's pictures are no photographs. */
export const labNotice = html`<aside class="notice" role="note">
<p><b>This is a world of clip art.</b> The lab drew every image here, and its metrics are small models that know nothing else. What they do shows how to judge a metric; it is never evidence about real text-to-image metrics.</p>
</aside>`;

/** Credit of the icons in the lab's pictures: one set asks to be named wherever it is shown; all are. */
export const artCredit = html`<p>The lab's pictures contain icons of Noto Emoji (© Google LLC, Apache-2.0), Fluent Emoji (© Microsoft Corporation, MIT) and Twemoji (© Twitter, Inc and other contributors, CC BY 4.0), recoloured and composed; see Touchstone's NOTICE.</p>
`;
