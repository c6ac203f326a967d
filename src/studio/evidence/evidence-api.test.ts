import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../test/support/touchstone-here.js";
import { studio } from "../studio.js";
import type { EvidencePage } from "./evidence-api.js";

test("published evidence is what the verb concludes, for each question and for one metric", async () => {
  const root = await temporaryDirectory();
  const app = studio({ root });
  const get = (search: string) => app.request(`http://127.0.0.1:8000/api/evidence${search}`);
  const page = async (search: string) => (await (await get(search)).json()) as EvidencePage;
  const all = await page("");
  const printed = await touchstoneHere(["evidence", "--json"], { workingDirectory: root });
  expect(JSON.parse(all.json)).toEqual(JSON.parse(printed.stdout));
  expect(all.view.verdict).toBe(JSON.parse(printed.stdout).verdict);
  expect(all.plot?.svg).toMatch(/^<svg/);
  const [metric = ""] = all.metrics;
  const one = await page(`?metric=${encodeURIComponent(metric)}`);
  expect(one.view.verdict).toContain(metric);
  expect(one.command).toContain("touchstone evidence --metric");
  for (const question of all.questions) {
    expect((await page(`?for=${question}`)).view.verdict).not.toBe("");
  }
  expect((await get("?for=weather")).status).toBe(400);
  expect((await get("?metric=CLIPScroe")).status).not.toBe(200);
});
