import { outputFor } from "touchstone-t2i/internal/cli/terminal/output.js";
import { conclusionPage } from "touchstone-t2i/internal/report/pages/conclusion-page.js";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../../test/support/fake-environment.js";
import { askedModels, askedText, labJudging } from "./lab-judging.js";

test("who judged and who embedded are named with their revisions", () => {
  const environment = fakeEnvironment();
  const output = outputFor({ environment, json: false });
  const drawn = { count: 2, seed: 0 };
  const models = askedModels(labJudging({ drawn, run: "lab", command: [], environment, output }));
  expect(models.judge).toMatch(/^lab:judge@[0-9a-f]{12}$/);
  expect(models.embedder).toMatch(/^lab:dual-encoder-balanced@[0-9a-f]{12}$/);
  expect(askedText(models)).toBe(` Judged by ${models.judge}; embedded by ${models.embedder}.`);
});

test("a page about the lab's pictures says that they are clip art, another does not", async () => {
  const readable = { verdict: "All alike.", tables: [], caveats: [], method: "By hand." };
  const about = { title: "Table 4", command: "touchstone" };
  const noticed = await conclusionPage(readable, { ...about, isFromLab: true });
  expect(noticed).toContain("This is a world of clip art.");
  expect(await conclusionPage(readable, about)).not.toContain("clip art");
});
