import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sampleReport } from "../../../test/report/sample-report.js";
import { escapeHtml } from "../../report/pages/html.js";
import { reportPage } from "../../report/pages/report-page.js";
import type { PrototypicalityReport } from "./conclusion.js";
import { prototypicalityReport } from "./report.js";

const pageOf = (found: PrototypicalityReport) => reportPage(prototypicalityReport(found).report());
const sample = sampleReport();
const document = await pageOf(sample);

test("the first sentence is the verdict, and the lab's notice stands in one place", () => {
  const lead = /<p class="lead">(.*?)<\/p>/s.exec(document)?.[1] ?? "";
  expect(lead).toMatch(
    /^clip-score with lab:dual-encoder-skewed prefers the typical wrong image in [^;]* of 900 triplets \([\d.]+.% of controls\); trust vqa-score more\.$/,
  );
  expect(document.split("This is a world of clip art.")).toHaveLength(2);
});

test("without lab images there is no such notice", async () => {
  const other = await pageOf({ ...sample, fromLab: false });
  expect(other).not.toContain("world of clip art");
});

test("the file stands alone: no script, no inline style, nothing to fetch, a policy that says so", () => {
  expect(document).not.toMatch(/<script|<link|<iframe|<object|@import|javascript:/i);
  expect(document).not.toMatch(/<[^>]* (on\w+|style|srcset|ping)=/i);
  const addresses = document.match(/\b(src|href|action)="(?!#|data:image\/png;base64,)[^"]*"/g);
  expect(addresses).toBeNull();
  const namespaces = document.replaceAll('xmlns="http://www.w3.org/2000/svg"', "");
  expect(namespaces).not.toMatch(/https?:/);

  const style = /<style>(.*?)<\/style>/s.exec(document)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(document).toContain(`style-src ${escapeHtml(`'sha256-${hash}'`)}`);
  expect(document).toContain("default-src &#39;none&#39;");
});

test("text from records, models and files stays text, wherever it stands", async () => {
  const hostile = `<script>alert("1")</script><img src=x onerror='a'>&`;
  const poison = (value: unknown): unknown => {
    if (typeof value === "string") return `${value}${hostile}`;
    if (value instanceof Uint8Array || typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(poison);
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        // Domains, knobs and reasons are members' names.
        /^(animals|count|correct image)/.test(name) ? `${name}${hostile}` : name,
        poison(member),
      ]),
    );
  };
  const { published, ...fromRecords } = sample;
  const poisoned = await pageOf({
    ...(poison(fromRecords) as typeof fromRecords),
    published,
  });
  expect(poisoned).toContain("&lt;script&gt;");
  expect(poisoned).not.toMatch(/<script|<img src=x|<[^>"]*onerror/i);
  const quotes = /<(?:[a-z][^<>"]*(?:"[^"]*"[^<>"]*)*|\/[a-z0-9]+|!doctype html)>/gi;
  expect(poisoned.replace(/<style>.*?<\/style>/s, "").replace(quotes, "")).not.toMatch(/[<>]/);
});

test("every section, every card with both images, the prompt and a mark for each metric", () => {
  for (const id of [
    "failures",
    "filters",
    "scores",
    "claims",
    "cards",
    "disagreement",
    "unscored",
    "methods",
  ]) {
    expect(document).toContain(`href="#${id}"`);
    expect(document.split(`id="${id}"`)).toHaveLength(2);
  }
  const shown = sample.gallery.entries.length;
  expect(document.match(/<article class="card"/g)).toHaveLength(sample.cards.length + shown);
  expect(document.match(/<img src="data:image\/png;base64,/g)).toHaveLength(
    2 * sample.cards.length + shown,
  );
  expect(document.match(/✓ right|✗ wrong|✗ tie/g)).toHaveLength(3 * sample.cards.length);
  const ids = [...document.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("plots stand in the page as pictures with a name, and the paper's figures apart", () => {
  const pictures = document.match(
    /<svg xmlns="[^"]*" viewBox="[^"]*" role="img" aria-label="[^"]+">/g,
  );
  // Ten figures, each wide and narrow.
  expect(pictures).toHaveLength(20);
  expect(document).toContain("The paper&#39;s failure rates: other models on other images");
  expect(document).toContain("71.62");
});

test("what pools the domains says so, and stands beside the mean of the domains", () => {
  const rates = /Failure rates by domain as a table(.*?)<\/table>/s.exec(document)?.[1] ?? "";
  const bands = ["all domains", "mean of domains", "animals"].map((band) => rates.indexOf(band));
  expect(bands.every((at) => at > 0)).toBe(true);
  expect([...bands].sort((a, b) => a - b)).toEqual(bands);
  expect(document).toContain("Where no domain is named, the pairs of all domains are pooled.");
  expect(document).toContain("Rates pool the triplets of");
});

test("the software is named once, as the run names it", () => {
  expect(document).toContain("<dt>software</dt><dd>touchstone-t2i 0.1.0</dd>");
});

test("commands are told for an installed program, and once how a clone calls it", () => {
  expect(document.match(/\.\/bin\/touchstone/g)).toHaveLength(1);
  expect(document).toContain("touchstone demo --size full");
});

test("the same report gives the same bytes", async () => {
  expect(await pageOf(sampleReport())).toBe(document);
});
