import { expect, test } from "vitest";
import { commandLines } from "../../../../test/support/command-lines.js";

const { put, read, run } = commandLines();

test("a site of cards and comparisons: ranks as ranges, a page for each, files beside", async () => {
  const rows = ["model,prompt,score"];
  for (let at = 0; at < 40; at++) {
    rows.push(`good,p${at},${0.8 + (at % 3) / 50}`, `also,p${at},${0.8 + ((at + 1) % 3) / 50}`);
    rows.push(`bad,p${at},${0.2 + (at % 5) / 50}`);
  }
  await put("scores.csv", rows.join("\n"));
  await run(["compare", "scores.csv", "--out", "results/scores.json"]);
  await put("card.csv", (await run(["example", "card"])).stdout);
  await run(["card", "card.csv", "--out", "results/sub/card.json"]);
  await put("results/other.json", "{}");
  const { code, stdout } = await run(["leaderboard", "results", "--out", "site", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    index: "site/index.html",
    pages: ["scores.html", "sub-card.html"],
    others: ["other.json"],
  });
  const page = await read("site/index.html");
  expect(page).toMatch(/1 to 2[\s\S]*also[\s\S]*good[\s\S]*3[\s\S]*bad/);
  expect(page).toContain("also and good may be first on score.");
  expect(page).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)[^"]*\.(js|css)/);
  expect(await read("site/data/scores.json")).toBe(await read("results/scores.json"));
  expect(await read("site/sub-card.html")).toContain("vqa-score");
});

test("a site within the folder is no entry of itself, and no file takes its first page", async () => {
  await put("scores.csv", "model,prompt,score\na,p,1\nb,p,0\n");
  await run(["compare", "scores.csv", "--out", "inside/index.json"]);
  const make = ["leaderboard", "inside", "--out", "inside/site", "--json"];
  const first = JSON.parse((await run(make)).stdout);
  expect(first.pages).toEqual(["index~2.html"]);
  expect(JSON.parse((await run(make)).stdout)).toEqual(first);
});

test("a folder without cards and comparisons is refused", async () => {
  await put("results/other.json", "{}");
  expect((await run(["leaderboard", "results"])).code).toBe(2);
});
