import { hashOf } from "../../core/keys.js";
import { inlinedPage } from "../../files/page-files.js";
import type { OfflineStudy } from "../../studies/page/offline-study.js";
import { html, trusted } from "./html.js";

/**
 * A study's page as one HTML file: the participants' page as it is served, its images and its items inside. Its
 * Content-Security-Policy allows its own script, style and images, and nothing else: it asks nothing of a network.
 *
 * @throws InputError where the pages are not built.
 */
export async function renderOfflinePage(page: OfflineStudy, title: string): Promise<string> {
  const { script, style } = await inlinedPage("study.html");
  const policy = [
    "default-src 'none'",
    "img-src blob:",
    `script-src 'sha256-${base64OfHash(script)}'`,
    `style-src 'sha256-${base64OfHash(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  // As JSON within HTML: no "<" can end the element.
  const data = JSON.stringify(page).replaceAll("<", "\\u003c");
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<div id="page"></div>
<noscript>This study needs JavaScript.</noscript>
<script type="application/json" id="offline">${trusted(data)}</script>
<script>${trusted(script)}</script>
</body>
</html>
`.source;
}

const base64OfHash = (text: string): string =>
  Buffer.from(hashOf(new TextEncoder().encode(text)), "hex").toString("base64");
