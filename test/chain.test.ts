import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runCommandLine } from "../src/cli/command-line/run-command-line.js";
import { openStudyFolder, StudyService } from "../src/studies/index.js";
import { answerStudy } from "./support/answer-study.js";
import { fakeEnvironment } from "./support/fake-environment.js";
import { temporaryDirectory } from "./support/temporary-directory.js";

/** What one verb writes another reads, without a flag that says how. */
async function chain() {
  const workingDirectory = await temporaryDirectory();
  const run = async (line: string) => {
    const environment = fakeEnvironment({ workingDirectory });
    const code = await runCommandLine(line.split(" "), environment);
    expect({ line, code, stderr: environment.written.stderr }).toMatchObject({ code: 0 });
    return environment.written.stdout;
  };
  const write = (name: string, text: string) => writeFile(join(workingDirectory, name), text);
  const json = async (line: string) => JSON.parse(await run(`${line} --json`));
  return {
    workingDirectory,
    run,
    json,
    write,
    read: (name: string) => readFile(join(workingDirectory, name), "utf8"),
  };
}

const scoring = "--metric vqa-score --model lab:vqa";
const texts = ["text", ...["nurse", "chef", "pilot"].map((one) => `a photo of a ${one}`), ""];

describe("what a verb writes", () => {
  test("generate → score → compare → compare", async () => {
    const { run, json, write } = await chain();
    await write("texts.csv", texts.join("\n"));
    for (const name of ["slight", "strong"]) {
      await run(`generate texts.csv --out ${name} --model lab:painter-${name}`);
    }
    for (const ending of ["jsonl", "csv", "parquet"]) {
      for (const name of ["slight", "strong"]) {
        await run(`score ${name} ${scoring} --out ${name}.${ending}`);
      }
      const compared = await json(`compare slight.${ending} strong.${ending} --out all.json`);
      expect(compared.metric).toBe("vqa-score");
      expect(Object.keys(compared.models).map((one) => one.split("@")[0])).toEqual([
        "lab:painter-slight",
        "lab:painter-strong",
      ]);
      const gated = await json(`compare slight.${ending} strong.${ending} --baseline all.json`);
      expect(gated.gate).toMatchObject({ passed: true });
    }
  });

  test("score → analyze correlation: the metric's values and nothing else", async () => {
    const { run, json, write, read } = await chain();
    await write("texts.csv", texts.join("\n"));
    await run("generate texts.csv --out images --model lab:painter-slight");
    const rated = (await read("images/metadata.jsonl"))
      .trim()
      .split("\n")
      .map((line, at) => `${JSON.stringify({ ...JSON.parse(line), human: at + 1 })}\n`);
    await write("images/metadata.jsonl", rated.join(""));
    await run(`score images ${scoring} --out rated.jsonl`);
    const { metrics } = await json("analyze correlation rated.jsonl --human human");
    expect(Object.keys(metrics)).toEqual(["value"]);
  });

  test("audit → analyze stereotypes", async () => {
    const { run, json, write } = await chain();
    const set = { category: "occupational", language: "en", frame: "a photo of a {term}" };
    await write("queries.yaml", JSON.stringify({ sets: [{ ...set, terms: ["nurse", "chef"] }] }));
    const models = { generators: ["lab:painter-strong"], judge: "lab:auditor" };
    await write(
      "audit.yaml",
      JSON.stringify({ ...models, refiner: "lab:refiner", images: 2, queries: "queries.yaml" }),
    );
    await run("audit audit.yaml --run run --out rows.csv");
    const { overall } = await json("analyze stereotypes rows.csv");
    expect(overall.pairs).toBe(2);
  });

  test("results that name no image model are refused, not compared by the metric's own", async () => {
    const { run, write, read } = await chain();
    await write("texts.csv", texts.join("\n"));
    await run("generate texts.csv --out images --model lab:painter-slight");
    const lines = (await read("images/metadata.jsonl")).replaceAll('"model"', '"painter"');
    await write("images/metadata.jsonl", lines);
    await run(`score images ${scoring} --out scores.jsonl`);
    const map = "--map prompt=text --map score=value";
    await expect(run(`compare scores.jsonl ${map}`)).rejects.toThrow();
    await run(`compare scores.jsonl ${map} --map model=painter`);
  });
});

const foreign = fileURLToPath(new URL("fixtures/foreign", import.meta.url));
const widthMetric = `export default {
  name: "width", range: [0, 9999], direction: "higher", statistic: "pixels",
  async score({ image }) { return { value: image.width }; },
};`;
const exported = (table: string) => `study export STUDY --table ${table} --out ${table}.csv`;

/** Lines that write, then one that reads. */
const pairs: Readonly<Record<string, readonly string[]>> = {
  "degrade → score": [
    "degrade images --out worse --kinds noise,contrast",
    "score worse --metric ./width.mjs --out worse.csv",
  ],
  "score (of degraded images) → card": ["card worse.csv"],
  "build → generate → score": [
    "build --benchmark attribute-confusion --run run --prompts 8",
    "generate --run run --model lab:painter-slight",
    "score run --metric vqa-score --model lab:vqa",
  ],
  "score → card of the run": ["card run"],
  "report --tables → analyze contrastive": [
    "report run --tables tables",
    "analyze contrastive tables/swap-all.csv",
  ],
  "report --tables → card": ["card tables/swap-all.csv"],
  "study export → agreement": [
    exported("agreement"),
    "analyze agreement agreement.csv --scale ordinal",
  ],
  "study export → contrastive": [exported("contrastive"), "analyze contrastive contrastive.csv"],
  "study export → correlation": [
    exported("correlation"),
    "analyze correlation correlation.csv --human human",
  ],
  "study export → compare": [exported("compare"), "compare compare.csv"],
  "import promptfoo → compare": [
    `import promptfoo ${foreign}/promptfoo-0.123.1.json --out promptfoo.csv`,
    "compare promptfoo.csv --metric clip-score",
  ],
  "import arena → analyze preferences": [
    `import arena ${foreign}/arena-fastchat.json --out arena.csv`,
    "analyze preferences arena.csv",
  ],
};

test("each pair of verbs, without a flag that says how", async () => {
  const { run, write, read, workingDirectory } = await chain();
  await write("texts.csv", texts.join("\n"));
  await write("width.mjs", widthMetric);
  await run("generate texts.csv --out images --model lab:painter-slight");
  const items = (await read("images/metadata.jsonl"))
    .trim()
    .split("\n")
    .flatMap((line, at) => {
      const { file_name, text, model } = JSON.parse(line);
      const image = `images/${file_name}`;
      return ["correct", "adversarial"].map((side) =>
        JSON.stringify({
          id: `${side}-${at}`,
          image,
          text,
          model: `${model} ${side}`,
          pair: `pair-${at}`,
          side,
          domain: "people",
          mine: at,
        }),
      );
    });
  await write("items.jsonl", items.join("\n"));
  const study = { title: "Right?", consent: "I agree.", open: true };
  const blocks = [{ protocol: "rating", from: "items.jsonl", ratingsPerItem: 2 }];
  await write("study.yaml", JSON.stringify({ ...study, blocks }));
  await run("study create study.yaml --run STUDY");
  const home = await openStudyFolder(join(workingDirectory, "STUDY"));
  const service = await StudyService.open(home);
  for (const id of ["one", "two"]) {
    await answerStudy(service, {
      id,
      answer: (item) => ({ value: 1 + (String(item.text).length % 4) }),
    });
  }
  await home.end();
  const broken: Record<string, string> = {};
  for (const [pair, words] of Object.entries(pairs)) {
    // Whatever is printed as the next command is parsed by the suite itself.
    for (const line of words) {
      await run(line).catch((error: Error) => {
        broken[pair] = error.message;
      });
    }
  }
  expect(broken).toEqual({});
});
