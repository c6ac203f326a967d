import { expect, test, vi } from "vitest";
import { svgFileOf } from "../../report/drawing/svg.js";
import { evidencePage } from "./evidence-api.js";

vi.mock("../../report/drawing/svg.js", { spy: true });

test("a plot that could not be drawn once is drawn the next time", async () => {
  vi.mocked(svgFileOf).mockRejectedValueOnce(new Error("no memory"));
  await expect(evidencePage({})).rejects.toThrow("no memory");
  expect((await evidencePage({})).plot?.svg).toMatch(/^<svg/);
});

test("each row of the plot names the unit of its count", async () => {
  const { plot } = await evidencePage({});
  expect(plot?.svg).toMatch(/>\d+ sets</);
  expect(plot?.svg).toMatch(/>[\d,]+ pairs</);
});
