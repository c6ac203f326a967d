import { expect, test } from "vitest";
import { setSearch } from "../web/src/studio/audit/set-search.js";
import { cardSearch } from "../web/src/studio/cards/card-search.js";
import { gallerySearch } from "../web/src/studio/gallery/gallery-search.js";
import { overviewSearch } from "../web/src/studio/run/overview-search.js";
import { scoresSearch } from "../web/src/studio/scores/scores-search.js";

// The router reads a value typed by hand as JSON: 2024 is a number, true a boolean, a single name no list.
test("a filter typed by hand holds, whatever the router took its word for", () => {
  expect(gallerySearch({ text: true, domain: 2024, min: 0.5, role: "", sort: "nope" })).toEqual({
    text: "true",
    domain: "2024",
    min: "0.5",
  });
  expect(cardSearch({ from: "run:demo" })).toEqual({ from: ["run:demo"] });
  expect(cardSearch({ from: ["run:demo", 3] })).toEqual({ from: ["run:demo"] });
  expect(setSearch({ category: 1, item: "a", at: -1 })).toEqual({ category: "1", item: "a" });
  expect(overviewSearch({ domain: 7 })).toEqual({ domain: "7" });
  expect(scoresSearch({ metric: 1, text: {}, order: "best" })).toEqual({
    metric: "1",
    order: "best",
  });
});
