import { outlineOf } from "touchstone-t2i/internal/cli/verbs/run/collect.js";
import { expect, test } from "vitest";
import { labConfusion } from "./confusion-experiment.js";

/** What localised metrics do around an entity, and by which localisers it is found. */
function looksOf(size: "small" | "medium" | "full") {
  const titles = outlineOf(labConfusion({ size, seed: 1 }).steps).map(({ title }) => title);
  const found = titles.flatMap(
    (title) => title.match(/:([a-z+]+):[a-z]+ with \S+ \+ lab:(\S+)/)?.slice(1) ?? [],
  );
  return [...new Set(found)].sort();
}

test("only the full size narrows images down to an entity in other ways than the published one", () => {
  expect(looksOf("small")).toEqual(["blurring+cropping", "localizer"]);
  expect(looksOf("medium")).toEqual(looksOf("small"));
  expect(looksOf("full")).toEqual([
    ...["blurring", "blurring+cropping", "cropping"],
    ...["localizer", "localizer-small"],
    ...["masking", "masking+cropping", "none"],
  ]);
});
