import { expect, test } from "vitest";
import { html } from "./html.js";
import { page } from "./page.js";

const document = page({
  title: "95 %",
  first: { verdict: "none (at most 1.0 % at 95 % confidence)", figure: html`<figure></figure>` },
  sections: [
    { id: "folded", title: "Folded", body: html`<p id="deep">7 %</p>`, isFolded: true },
    { id: "open", title: "Open", body: "8 %" },
  ],
  closing: "",
});

test("the sentence at the top keeps a number and its percent sign together", () => {
  expect(document).toContain("none (at most 1.0\u00a0% at 95\u00a0% confidence)");
  expect(document).toContain("<h1>95 %</h1>");
  expect(document).toContain("7 %");
});

test("open sections stand before folded ones, and what a link leads to lies inside of its fold", () => {
  const places = [
    '<h2 id="open">',
    'id="unfold"',
    "<details",
    "<summary><h2>Folded",
    '<div id="folded">',
    'id="deep"',
    "</details>",
  ];
  const found = places.map((place) => document.indexOf(place));
  expect(found.every((at) => at > 0)).toBe(true);
  expect([...found].sort((a, b) => a - b)).toEqual(found);
  expect([...document.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id)).toEqual([
    "content",
    "open",
    "folded",
  ]);
});
