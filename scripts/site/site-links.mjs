// Where a link of a document leads on the site.
import { existsSync, statSync } from "node:fs";
import { dirname, extname, join, normalize, relative } from "node:path";
import { dataPages } from "./schema-pages.mjs";

/** Documents beside `docs/` that are pages, too. */
export const rootPages = {
  "README.md": "start.md",
  "ARCHITECTURE.md": "architecture.md",
  "CONTRIBUTING.md": "contributing.md",
  "CHANGELOG.md": "changelog.md",
  "bench/README.md": "bench.md",
  "training/README.md": "training.md",
};

/** The page of a document, or of a file in data/, on the site; nothing where it is no page. */
export const pageOf = (path) =>
  rootPages[path] ??
  dataPages[path] ??
  (/^docs\/(?:research\/)?[\w-]+\.md$/.test(path) ? relative("docs", path) : undefined);

const link = /(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)/g;

/**
 * The text of a document as a page of the site: links to other documents lead to their pages, links to
 * other files of the repository to copies of them, links to folders become their names.
 *
 * @param document the path of the document from the root of the repository.
 * @param base the address of the site: VitePress puts it before pictures and pages, not before other files.
 * @returns the page, and where on the site each file that it links to is to be, by its path in the repository.
 */
export function asPage(root, document, markdown, base = "/") {
  const files = new Map();
  const pictures = markdown.replace(
    /( (?:src|srcset)=")((?:docs\/)?pictures\/[^"]+)/g,
    (_, before, target) => {
      const path = join(dirname(document), target);
      files.set(path, path);
      return `${before}/files/${path}`;
    },
  );
  const text = pictures.replace(link, (whole, picture, label, target, anchor = "") => {
    const path = normalize(join(dirname(document), target));
    if (!existsSync(join(root, path))) return whole;
    if (statSync(join(root, path)).isDirectory()) return label;
    const page = pageOf(path);
    if (page !== undefined)
      return `[${label}](./${relative(dirname(pageOf(document)), page)}${anchor})`;
    // Without an ending, or as .ts, a server sends it as something to download.
    const copy = ["", ".ts"].includes(extname(path)) ? `${path}.txt` : path;
    files.set(path, copy);
    return picture === "!"
      ? `![${label}](/files/${copy})`
      : `[${label}](${base}files/${copy}){target="_self"}`;
  });
  return { text, files };
}
