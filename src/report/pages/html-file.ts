import { hashOf } from "../../core/keys.js";
import { inlinedPage } from "../../files/page-files.js";
import type { OfflineStudy } from "../../studies/page/offline-study.js";
import { type Content, html, trusted } from "./html.js";

/**
 * A whole HTML document in one file. Its Content-Security-Policy allows its own style sheet, its own script and images
 * that lie in the file, and nothing else: it asks nothing of a network.
 *
 * @param options.images the scheme of its images' addresses
 */
export function htmlFile({
  title,
  meta: [name, content],
  images,
  style,
  script,
  body,
}: {
  readonly title: string;
  readonly meta: readonly [name: string, content: string];
  readonly images: "blob:" | "data:";
  readonly style: string;
  readonly script?: string;
  readonly body: Content;
}): string {
  const policy = [
    "default-src 'none'",
    `img-src ${images}`,
    ...(script === undefined ? [] : [`script-src 'sha256-${base64OfHash(script)}'`]),
    `style-src 'sha256-${base64OfHash(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="${name}" content="${content}">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
${body}${script !== undefined && html`<script>${trusted(script)}</script>\n`}</body>
</html>
`.source;
}

function base64OfHash(text: string): string {
  return Buffer.from(hashOf(new TextEncoder().encode(text)), "hex").toString("base64");
}

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
