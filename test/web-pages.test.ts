import { readdirSync, readFileSync, statSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const built = new URL("../dist/web/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, built), "utf8");
const pages = readdirSync(built).filter((name) => name.endsWith(".html"));

/** kB of 1,000 bytes. */
const mostFirstLoad = 200;
const mostBytes = 3_200_000;

/** The scripts that a page loads before anybody does anything, and what those import. */
function firstScripts(page: string): string[] {
  const open = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(
    ([, name = ""]) => name,
  );
  const found = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    // `import("…")` is loaded when it is first needed, `from"…"` and `import"…"` at once.
    for (const [, near = ""] of read(name).matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) {
      open.push(`assets/${near}`);
    }
  }
  return [...found];
}

describe("the built pages", () => {
  it("are there", () => {
    expect(pages).toContain("studio.html");
  });

  it.each(pages)(`%s loads at most ${mostFirstLoad} kB of scripts first, gzipped`, (name) => {
    const scripts = firstScripts(read(name));
    expect(scripts.length).toBeGreaterThan(0);
    const bytes = scripts.reduce((sum, script) => sum + gzipSync(read(script)).length, 0);
    expect(bytes / 1000).toBeGreaterThan(20);
    expect(bytes / 1000).toBeLessThanOrEqual(mostFirstLoad);
  });

  it.each(pages)("%s has no script, style or address that its policy forbids", (name) => {
    const page = read(name);
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:|https?:/);
    for (const [script] of page.matchAll(/<script[^>]*>/g)) expect(script).toContain("src=");
  });

  it("hold nothing of Node's, nor code that compiles code", () => {
    const scripts = readdirSync(new URL("assets/", built)).filter((name) => name.endsWith(".js"));
    expect(scripts.some((name) => name.startsWith("table-worker"))).toBe(true);
    for (const name of scripts) {
      expect(read(`assets/${name}`), name).not.toMatch(/vite-browser-external|WebAssembly\.Module/);
    }
  });

  it(`add at most ${mostBytes / 1e6} MB to the package`, () => {
    const files = readdirSync(built, { recursive: true, withFileTypes: true });
    const sizes = files
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => statSync(`${parentPath}/${name}`).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(mostBytes);
  });
});
