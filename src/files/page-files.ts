import { readFile } from "node:fs/promises";
import { InputError } from "../core/errors.js";

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

/**
 * A built page's modules as one classic script, and its styles as one, for a file that holds all it needs.
 *
 * @throws InputError where the pages are not built.
 */
export async function inlinedPage(
  page: string,
  { pages = builtPages }: { readonly pages?: URL } = {},
): Promise<{ readonly script: string; readonly style: string }> {
  const read = (name: string) =>
    readFile(new URL(name, pages), "utf8").catch((cause: unknown) => {
      const hint = "In a clone: npm run build";
      throw new InputError(`Expected the built page ${page} but could not read it`, {
        hint,
        cause,
      });
    });
  const text = await read(page);
  const linked = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  const modules = new Map<string, string>();
  const add = async (name: string): Promise<void> => {
    if (modules.has(name)) return;
    modules.set(name, "");
    const { imports, body } = parted(await read(`assets/${name}`), name);
    for (const { from } of imports) await add(from);
    modules.delete(name);
    const names = imports.map(({ from, bindings }) => `const{${bindings}}=modules["${from}"];`);
    modules.set(name, `modules["${name}"]=(()=>{${names.join("")}${body}})();`);
  };
  for (const name of linked(/<script type="module"[^>]* src="\/assets\/([^"]+)"/g)) await add(name);
  const styles = linked(/<link rel="stylesheet"[^>]* href="\/assets\/([^"]+)"/g);
  const style = (await Promise.all(styles.map((name) => read(`assets/${name}`)))).join("\n");
  const whole = `(()=>{"use strict";const modules={};${[...modules.values()].join("\n")}})();`;
  // Within an element of HTML; in a string both spellings are the same.
  const script = whole.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  return { script, style };
}

/** A module's imports, which the build puts first, and its text with its exports returned at the end. */
function parted(text: string, name: string) {
  const imports: { readonly from: string; readonly bindings: string }[] = [];
  let rest = text.trim();
  for (;;) {
    const [whole, bindings = "", from] =
      /^import(?:\{([^{}]*)\}from)?"\.\/([\w.-]+)";/.exec(rest) ?? [];
    if (whole === undefined || from === undefined) break;
    imports.push({ from, bindings: bindings.replaceAll(" as ", ":") });
    rest = rest.slice(whole.length);
  }
  const body = rest.replace(/export\{([^{}]*)\};?$/, (_, names: string) => {
    const members = names.split(",").map((one) => one.split(" as ").reverse().join(":"));
    return `return{${members.join(",")}};`;
  });
  if (/^import\b|\bimport\(|\bexport[{ ]/.test(body)) {
    throw new Error(`Expected a module without further imports: ${name}`);
  }
  return { imports, body };
}
