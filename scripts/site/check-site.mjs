// Says what is wrong with a built web site, beyond what VitePress looks for: links and anchors that lead nowhere in
// the pages as they are served, scripts that block, and a home or a page of tables that weighs too much.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

/** Bytes that a page may take over the network when it is opened, compressed as servers send it, without its pictures. */
export const heaviestPage = 200_000;

/**
 * @param folder the built site
 * @param base the address that it is built for, such as "/touchstone/"
 * @returns a sentence for each fault
 */
export function siteFaults(folder, base = "/") {
  const pages = readdirSync(folder, { recursive: true })
    .map((name) => name.replaceAll("\\", "/"))
    // What was written by others' programs, and the page of tables, which builds its own.
    .filter(
      (name) => name.endsWith(".html") && !/^(?:404\.html|files\/|analyse\/|public\/)/.test(name),
    );
  const htmlOf = new Map(pages.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  const anchorsOf = new Map();
  const anchors = (name) => {
    if (!anchorsOf.has(name)) {
      const found = (htmlOf.get(name) ?? "").matchAll(/\s(?:id|name)="([^"]*)"/g);
      anchorsOf.set(name, new Set([...found].map(([, id]) => id)));
    }
    return anchorsOf.get(name);
  };
  const faults = [];
  for (const [page, html] of htmlOf) {
    const links = new Set(
      [...html.matchAll(/\s(?:href|src|srcset)="([^"]*)"/g)].map(([, link]) => link),
    );
    for (const link of links) {
      if (/^[a-z]+:/i.test(link)) continue;
      const [path, anchor] = decodeURI(link.replaceAll("&amp;", "&")).split("#");
      const target = fileOf(path, page);
      if (target === undefined || !existsSync(join(folder, target))) {
        faults.push(`${page}: ${link} leads nowhere`);
      } else if (anchor && htmlOf.has(target) && !anchors(target).has(anchor)) {
        faults.push(`${page}: ${target} has no place #${anchor}`);
      }
    }
    for (const [script] of html.matchAll(/<script\b[^>]*\ssrc=[^>]*>/g)) {
      if (!/\s(?:async|defer|type="module")/.test(script)) faults.push(`${page}: ${script} blocks`);
    }
  }
  for (const page of ["index.html", "analyse/index.html"]) {
    const weight = existsSync(join(folder, page)) ? weightOf(page) : 0;
    if (weight > heaviestPage) {
      faults.push(`${page}: takes ${weight} bytes before its pictures; at most ${heaviestPage}`);
    }
  }
  return faults;

  function fileOf(path, page) {
    if (path === "") return page;
    const plain = path.replace(/\?.*$/, "");
    if (plain.startsWith("/") && !plain.startsWith(base)) return undefined;
    const file = plain.startsWith("/") ? plain.slice(base.length) : join(dirname(page), plain);
    if (file === "" || file === "." || file.endsWith("/")) return join(file, "index.html");
    return existsSync(join(folder, `${file}.html`)) ? `${file}.html` : file;
  }

  function weightOf(page) {
    const html = readFileSync(join(folder, page), "utf8");
    const loaded = [...html.matchAll(/<(?:script|link)\b[^>]*\s(?:src|href)="([^":]+)"/g)];
    const files = new Set(loaded.map(([, path]) => fileOf(path, page)));
    const sent = (bytes) => gzipSync(bytes).length;
    return [...files].reduce(
      (sum, file) =>
        sum + (file && existsSync(join(folder, file)) ? sent(readFileSync(join(folder, file))) : 0),
      sent(html),
    );
  }
}
