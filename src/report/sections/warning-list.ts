import { type Html, html } from "../pages/html.js";

/** Caveats of the numbers, a sentence each; nothing where there are none. */
export const warningList = (warnings: readonly string[]): Html | undefined =>
  warnings.length === 0
    ? undefined
    : html`<details class="plain"><summary>Caveats</summary>
<ul class="small">${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>
</details>
`;
