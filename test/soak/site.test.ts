import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { barriers } from "../browser/accessibility.js";
import { inBrowser } from "../browser/in-browser.js";
import { parsedNext } from "../support/next-commands.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const site = join(root, "docs/site/dist");
let pages: ReadonlyMap<string, string> = new Map();

beforeAll(async () => {
  // As a person builds it: within a test React would come with all that helps to develop.
  const { NODE_ENV: _, ...env } = process.env;
  execFileSync("npm", ["run", "--silent", "site"], { cwd: root, env, stdio: "pipe" });
  const names = (await readdir(site, { recursive: true })).filter(
    (name) => name.endsWith(".html") && !/^(analyse|files)\//.test(name) && name !== "404.html",
  );
  pages = new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(site, name), "utf8")] as const),
    ),
  );
}, 1_200_000);

const decoded = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

describe("the web site", () => {
  it("has a page for each document, verb and entry of the library", async () => {
    expect(pages.size).toBeGreaterThan(100);
    for (const name of [
      "index",
      "start",
      "statistics",
      "lab",
      "cite",
      "reference/python",
      "reference/study-file",
    ])
      expect(pages.has(`${name}.html`), name).toBe(true);
    // Derived from the schema of a study's file.
    expect(pages.get("reference/study-file.html")).toContain("itemsPerParticipant");
  });

  it("has no link that leads nowhere", () => {
    const broken: string[] = [];
    for (const [name, html] of pages) {
      for (const [, target = ""] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
        if (/^(https?:|mailto:)/.test(target)) continue;
        const [path = "", anchor = ""] = decodeURI(decoded(target)).split("#");
        const file =
          path === ""
            ? name
            : normalize(path.startsWith("/") ? path.slice(1) : join(dirname(name), path));
        const there = file === "" || file.endsWith("/") ? `${file}index.html` : file;
        const html = pages.get(there);
        const found =
          anchor === "" ? existsSync(join(site, there)) : html?.includes(`id="${anchor}"`) === true;
        if (!found) broken.push(`${name}: ${target}`);
      }
    }
    expect(broken).toEqual([]);
  });

  // Those of the documents are run by document-commands.test.ts; examples of verbs name users' files.
  it("shows no command that the command line does not take", async () => {
    const refused: string[] = [];
    let tried = 0;
    for (const [name, html] of pages) {
      if (!name.startsWith("verbs/")) continue;
      for (const [, block = ""] of html.matchAll(/<pre class="shiki[^>]*><code>(.*?)<\/code>/gs)) {
        for (const line of decoded(block).split("\n")) {
          if (!line.includes("touchstone") || line.includes("[flags]")) continue;
          tried += 1;
          await parsedNext(line.replace(/ > \S+$/, "")).catch((error: Error) =>
            refused.push(`${line}: ${error.message}`),
          );
        }
      }
    }
    expect(tried).toBeGreaterThan(60);
    expect(refused).toEqual([]);
  });
});

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** A file server, as any web host is. */
async function served(): Promise<string> {
  const server = createServer(async ({ url = "/" }, response) => {
    const path = decodeURIComponent(new URL(url, "http://site").pathname);
    const file = join(site, path.endsWith("/") ? `${path}index.html` : path);
    try {
      response.setHeader("content-type", types[extname(file)] ?? "application/octet-stream");
      response.end(await readFile(file));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

inBrowser("the web site in a browser", (open) => {
  const looked = ["", "start", "statistics", "verbs/score", "reference/library/analysis"];
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [390, 1280]) {
      it.each(looked)(`reads well, ${width} px, ${colorScheme}: /%s`, async (path) => {
        const address = `${await served()}/${path === "" ? "" : `${path}.html`}`;
        const page = await open(address, { width, colorScheme });
        expect(await barriers(page)).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      });
    }
  }

  it("finds a word", async () => {
    const page = await open(`${await served()}/`);
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.getByRole("searchbox").fill("Krippendorff");
    await page.getByRole("option").first().waitFor();
  });

  it("analyses a table, from a file server", async () => {
    const page = await open(`${await served()}/`);
    await page.getByRole("link", { name: "Analyse a table here" }).click();
    await page.setInputFiles("input[type=file]", {
      name: "scores.csv",
      mimeType: "text/csv",
      buffer: await readFile(join(root, "data/examples/contrastive.csv")),
    });
    await page.getByText("touchstone analyze contrastive").first().waitFor();
  });
});
