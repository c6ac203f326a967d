import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import verdicts from "../docs/pictures/verdicts.json" with { type: "json" };
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstoneHere } from "./support/touchstone-here.js";

const docs = fileURLToPath(new URL("../docs", import.meta.url));

test.each(Object.entries(verdicts))(
  "the pictures of %s.md show what its command says now",
  async (_name, job) => {
    const workingDirectory = await temporaryDirectory();
    let stdin = "";
    for (const words of job.commands.split(" | ")) {
      const { code, stdout } = await touchstoneHere(words.split(" "), { workingDirectory, stdin });
      expect(code).toBe(0);
      stdin = stdout;
    }
    const html = readFileSync(join(workingDirectory, "page.html"), "utf8");
    // If not: npm run build && node scripts/take-verdicts.mjs
    expect(wordsOf(html)).toContain(wordsOf(job.says));
  },
);

test.each(Object.entries(verdicts))(
  "%s.md shows its pictures, and their finding in words",
  (name, { says }) => {
    const page = readFileSync(join(docs, `${name}.md`), "utf8");
    for (const picture of ["390-light", "390-dark", "1280-light", "1280-dark"]) {
      const path = `pictures/${name}-${picture}.webp`;
      expect(page).toContain(`"${path}"`);
      expect(existsSync(join(docs, path))).toBe(true);
    }
    const [, alt = ""] = /<img [^>]*alt="([^"]+)"/.exec(page) ?? [];
    const figures = alt.match(/\d+\.\d+/g) ?? [];
    expect(figures.length).toBeGreaterThan(0);
    for (const figure of figures) expect(says).toContain(figure);
  },
);

/** What a text or page says, without tags, entities and spaces. */
const wordsOf = (text: string): string =>
  text
    .replace(/<(style|script)\b[\s\S]*?<\/\1>|<[^>]*>/g, "")
    .replace(/&#(\d+);|&#x([\da-f]+);/gi, (_, decimal, hex) =>
      String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)),
    )
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, "");
