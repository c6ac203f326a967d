/** A value as a script that says it: what could end a script or a line stands escaped. */
export const scriptValue = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");

/**
 * Allowed sources of an exported page: files beside it, from a server or from the file system, where
 * Chromium lets no module, fetch or worker of a file run. Its worker is made of a text.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self' file: blob:",
  "style-src 'self' file:",
  "img-src 'self' file: blob: data:",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** An exported page: plain scripts in their order, the last of which begins it. */
export const exportedPage = (title: string, scripts: readonly string[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="studio.css">
${scripts.map((name) => `    <script defer src="${name}"></script>`).join("\n")}
  </head>
  <body>
    <div id="page"></div>
    <noscript>This page needs JavaScript: it reads what lies beside it.</noscript>
  </body>
</html>
`;
