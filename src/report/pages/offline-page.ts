import { inlinedPage } from "../../files/page-files.js";
import type { OfflineStudy } from "../../studies/page/offline-study.js";
import { html, trusted } from "./html.js";
import { htmlFile } from "./html-file.js";

/**
 * A study's page as one HTML file: the participants' page as it is served, its images and its items inside.
 *
 * @throws InputError where the pages are not built.
 */
export async function renderOfflinePage(page: OfflineStudy, title: string): Promise<string> {
  const { script, style } = await inlinedPage("study.html");
  // As JSON within HTML: no "<" can end the element.
  const data = JSON.stringify(page).replaceAll("<", "\\u003c");
  return htmlFile({
    title,
    meta: ["robots", "noindex"],
    images: "blob:",
    style,
    script,
    body: html`<div id="page"></div>
<noscript>This study needs JavaScript.</noscript>
<script type="application/json" id="offline">${trusted(data)}</script>
`,
  });
}
