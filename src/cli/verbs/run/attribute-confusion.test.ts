import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeConfusionRun } from "../../../../test/report/confusion-run.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import {
  confusionGroupedRows,
  confusionImages,
} from "../../../analysis/confusion/confusion-images.js";
import { readRunRecords } from "../../../benchmarks/run-records.js";
import { openStore } from "../../../files/open-store.js";
import { standingOverview } from "../../../report/standing.js";

async function touchstone(workingDirectory: string, ...words: readonly string[]) {
  return touchstoneHere(words, { workingDirectory });
}

interface AnyCard {
  readonly subject: { readonly name: string };
  readonly figures: {
    readonly attributeConfusion: {
      readonly n: number;
      readonly further: Readonly<Record<"strictFailureRate" | "tieRate", { value: number }>>;
    };
  };
}

interface AnySwap {
  readonly overall: {
    readonly n: number;
    readonly failureRate: { readonly value: number };
    readonly tieRate: { readonly value: number };
  };
}

/** A metric whose score follows from the text alone: it ties nowhere and fails now and then. */
const byText = `export default {
  name: "by-text", range: [0, 1], direction: "higher",
  async score({ text }) {
    return { value: ([...text].reduce((sum, one, at) => sum + one.codePointAt(0) * at, 0) % 97) / 97 };
  },
};
`;

test("attribute confusion from building to a report and tables that give the same numbers", async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "by-text.mjs"), byText);
  const run = (...words: readonly string[]) => touchstone(directory, ...words);
  const build = ["build", "--benchmark", "attribute-confusion", "--run", "run"];
  const built = await run(...build, "--prompts", "8", "--drawable-by", "lab:painter");
  expect(built.stdout).toContain("8 descriptions written; in");
  for (const painter of ["lab:painter-a", "lab:painter-e"]) {
    const made = await run("generate", "--run", "run", "--model", painter, "--samples", "1");
    expect(made.stdout).toContain("8 images");
  }
  const scored = await run("score", "run", "--metric", "./by-text.mjs");
  expect(scored).toMatchObject({ code: 0 });
  expect(scored.stdout).toMatch(/check-attributes +16 +0/);
  expect(scored.stdout).toMatch(/score-images-by-text\S* +32 +0/);

  const reported = await run("report", "run", "--tables", "tables", "--json");
  expect(reported.code).toBe(0);
  const { selections, claims } = JSON.parse(reported.stdout);
  const all = selections.find(({ name }: { name: string }) => name === "all images");
  const summary = all.swap.metrics["by-text"].overall;
  expect(summary.n).toBe(16);
  expect(claims[0]).toMatchObject({ outcome: "undecided", reason: "the run has no clip-score" });
  const page = await readFile(join(directory, "run", "report.html"), "utf8");
  expect(page).toContain("Swap test");
  const { tables: shown = [] } = (await standingOverview(join(directory, "run"))) ?? {};
  expect(shown.flatMap(({ rows }) => rows).length).toBeGreaterThan(3);
  for (const { cells } of shown[0]?.rows ?? []) {
    const [, , ...numbers] = cells;
    expect(page).toContain(numbers.map((cell) => `<td class="number">${cell}</td>`).join(""));
  }

  const again = await run("analyze", "contrastive", "tables/swap-all.csv", "--json");
  const { metrics } = JSON.parse(again.stdout);
  expect(metrics["by-text"].overall).toMatchObject({
    n: 16,
    ties: summary.ties,
    strictFailureRate: { value: summary.failureRate.value },
  });

  const ties = ["--tie-tolerance", "0.4", "--json"];
  const { selections: wide } = JSON.parse((await run("report", "run", ...ties)).stdout);
  const found = wide.find(({ name }: { name: string }) => name === "all images").swap;
  const table = await run("analyze", "contrastive", "tables/swap-all.csv", ...ties);
  const { overall } = found.metrics["by-text"];
  expect(found).toMatchObject({
    tieTolerance: 0.4,
    tieRule: expect.stringContaining("within 0.4 (relative)"),
  });
  expect(overall.ties).toBeGreaterThan(summary.ties);
  expect(JSON.parse(table.stdout).metrics["by-text"].overall).toMatchObject({
    ties: overall.ties,
    strictFailureRate: { value: overall.failureRate.value },
  });
});

test("the tables have the report's swap shares, as the next command says, and its rows", async () => {
  const directory = await temporaryDirectory();
  const run = (...words: readonly string[]) => touchstone(directory, ...words);
  await makeConfusionRun(join(directory, "run"), { count: 8, painters: ["e"] });
  const ties = ["--tie-tolerance", "0.01"];
  const { stdout } = await run("report", "run", "--tables", "tables", ...ties);
  const next = stdout.trimEnd().split("\n").at(-1);
  expect(next).toBe("Next: touchstone card tables/swap.csv --tie-tolerance 0.01");

  const reported = await run("report", "run", ...ties, "--json");
  const { selections } = JSON.parse(reported.stdout);
  const [counted, all] = selections;
  expect(counted).toMatchObject({ name: "as described" });
  expect(counted.images).toBeLessThan(all.images);
  for (const [table, selection] of [
    ["swap.csv", counted],
    ["swap-all.csv", all],
  ] as const) {
    const { cards } = JSON.parse((await run("card", `tables/${table}`, ...ties, "--json")).stdout);
    const found = cards.map((card: AnyCard) => [
      card.subject.name,
      card.figures.attributeConfusion.n,
      card.figures.attributeConfusion.further.strictFailureRate.value,
      card.figures.attributeConfusion.further.tieRate.value,
    ]);
    const metrics: Record<string, AnySwap> = selection.swap.metrics;
    expect(found).toEqual(
      Object.entries(metrics).map(([name, { overall }]) => [
        ...[name, overall.n, overall.failureRate.value, overall.tieRate.value],
      ]),
    );
    expect(cards[0].figures.prototypicality).toMatchObject({ status: "not-measured" });
  }
  const folder = await openStore(join(directory, "run"));
  const { metrics, images } = confusionImages(await readRunRecords(folder));
  const cellsOf = async (name: string) =>
    (await readFile(join(directory, "tables", name), "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => line.split(","));
  for (const [table, target] of [
    ["correlation.csv", "f1"],
    ["correlation-precision.csv", "precision"],
    ["correlation-recall.csv", "recall"],
  ] as const) {
    expect((await cellsOf(table)).slice(1)).toEqual(
      confusionGroupedRows(images, metrics, target).map(({ id, prompt, counts, scores }) =>
        [id, prompt, ...(counts ?? []), ...scores].map((cell) => String(cell ?? "")),
      ),
    );
  }
  const recall = await cellsOf("correlation-recall.csv");
  expect(recall).not.toEqual(await cellsOf("correlation-precision.csv"));

  const [title, ...rows] = await cellsOf("swap-all.csv");
  const right = rows.filter((row) => row[title?.indexOf("asDescribed") ?? -1] === "1");
  expect(right.length).toBe(counted.images * Object.keys(counted.swap.metrics).length);
});

test("a run is of one benchmark, and flags of the other are refused", async () => {
  const directory = await temporaryDirectory();
  const run = (...words: readonly string[]) => touchstone(directory, "build", ...words);
  expect(await run("--run", "run", "--prompts", "4")).toMatchObject({ code: 0 });
  const other = await run("--benchmark", "attribute-confusion", "--run", "run");
  expect(other).toMatchObject({ code: 2, stdout: "" });
  expect(other.stderr).toContain("received one of prototypicality");
  expect((await run("--set", "outfits")).stderr).toContain("no --set for prototypicality");
  const idle = await run("--benchmark", "attribute-confusion", "--domain", "animals");
  expect(idle.stderr).toContain("no --domain for attribute-confusion");
  const unknown = await run("--benchmark", "attribute-confusion", "--set", "shoes");
  expect(unknown.stderr).toContain("one of outfits, objects for --set");
});
