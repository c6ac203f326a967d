import { hashOf } from "../../core/keys.js";
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
