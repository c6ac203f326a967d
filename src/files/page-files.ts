import { readFile } from "node:fs/promises";

const mediaTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

/** Where the build puts the page. */
const builtPages = new URL("../../dist/web/", import.meta.url);

/**
 * Answers requests for a built page: its files in `assets/`, whose names say what they hold, and for
 * every other address the page itself, which reads the address. 405 for what is no GET, 404 for a file
 * that it does not have, 503 where the pages are not built.
 *
 * @param page the file that is the page, such as "studio.html"
 */
export async function pageFile(
  { method, url }: Pick<Request, "method" | "url">,
  { page, pages = builtPages }: { readonly page: string; readonly pages?: URL | undefined },
): Promise<Response> {
  if (method !== "GET" && method !== "HEAD") return refusal(405, "Expected GET or HEAD for a page");
  const [, name, extension = ""] = /^\/assets\/([\w.-]+\.(\w+))$/.exec(new URL(url).pathname) ?? [];
  const mediaType = mediaTypes[extension];
  if (name !== undefined && mediaType !== undefined) {
    const bytes = await readFile(new URL(`assets/${name}`, pages)).catch(() => undefined);
    if (bytes === undefined) return refusal(404, "The page has no such file");
    const headers = {
      "content-type": mediaType,
      "cache-control": "private, max-age=31536000, immutable",
    };
    return new Response(Uint8Array.from(bytes), { headers });
  }
  const text = await readFile(new URL(page, pages), "utf8").catch(() => undefined);
  if (text === undefined) return refusal(503, "The pages are not built. In a clone: npm run build");
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" };
  return new Response(text, { headers });
}

const refusal = (status: number, message: string) => new Response(message, { status });
