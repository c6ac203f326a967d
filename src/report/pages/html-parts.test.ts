import { expect, test } from "vitest";
import { plotFigure } from "./html-parts.js";

test("a figure little taller than the first screen is drawn smaller there; a far taller one scrolls", async () => {
  const lookOf = async (height: number) => {
    const spec = { width: 300, height, data: { values: [{}] }, mark: "point" } as const;
    const { source } = await plotFigure({ spec, caption: "" });
    return /class="plot scroll([^"]*)"/.exec(source)?.[1]?.trim().split(" ");
  };
  expect(await lookOf(200)).toEqual(["small"]);
  expect(await lookOf(600)).toContain("fitted");
  expect(await lookOf(900)).not.toContain("fitted");
});
