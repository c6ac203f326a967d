import { readFile } from "node:fs/promises";
import type { MiddlewareHandler } from "hono";
import { Refusal } from "./refusal.js";

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
 * The files of the built page: those in `assets/`, whose names say what they hold, and for every other
 * address the page itself, which reads the address.
 *
 * @param page the file that is the page, such as "studio.html"
 */
export function pageFiles({
  page,
  pages = builtPages,
}: {
  readonly page: string;
  readonly pages?: URL;
}): MiddlewareHandler {
  return async ({ req }) => {
    if (req.method !== "GET" && req.method !== "HEAD") {
      throw new Refusal(405, "method", "Expected GET or HEAD for a page");
    }
    const [, name, extension = ""] = /^\/assets\/([\w.-]+\.(\w+))$/.exec(req.path) ?? [];
    const mediaType = mediaTypes[extension];
    if (name !== undefined && mediaType !== undefined) {
      const bytes = await readFile(new URL(`assets/${name}`, pages)).catch(() => undefined);
      if (bytes === undefined) throw new Refusal(404, "no-file", "The page has no such file");
      return new Response(Uint8Array.from(bytes), {
        headers: {
          "content-type": mediaType,
          "cache-control": "private, max-age=31536000, immutable",
        },
      });
    }
    const text = await readFile(new URL(page, pages), "utf8").catch((cause: unknown) => {
      throw new Refusal(503, "not-built", "The studio's page is not built", {
        hint: "In a clone: npm run build",
        cause,
      });
    });
    return new Response(text, {
      headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" },
    });
  };
}
