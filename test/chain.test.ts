import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { wordsOf } from "../src/cli/command-line/shell-words.js";
import { runCommandLine } from "../src/cli/main.js";
import { openStudyFolder } from "../src/studies/home/study-folder.js";
import { StudyService } from "../src/studies/server/study-service.js";
import { answerStudy } from "./support/answer-study.js";
import { duckDbInstalled } from "./support/duckdb-installed.js";
import { fakeEnvironment } from "./support/fake-environment.js";
import { fittingServer, side } from "./support/fitting-server.js";
import { nextCommandsIn } from "./support/next-commands.js";
import { pairServer } from "./support/pair-server.js";
import { colouredImage } from "./support/scripted-openai.js";
import { temporaryDirectory } from "./support/temporary-directory.js";

/** What one verb writes another reads, without a flag that says how. */
async function chain() {
  const workingDirectory = await temporaryDirectory();
  const run = async (line: string) => {
    const environment = fakeEnvironment({ workingDirectory });
    const code = await runCommandLine(wordsOf(line), environment);
    if (code !== 0) throw new Error(`${line} ended with ${code}: ${environment.written.stderr}`);
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
const exported = (study: string, table: string) =>
  `study export ${study} --table ${table} --out ${study}-${table}.csv`;
const part = "part-00000.parquet";

/** Lines that write, then one that reads; later pairs read what earlier ones wrote. */
const pairs: Readonly<Record<string, readonly string[]>> = {
  "label degrade → score": [
    "label degrade images --out worse --kinds noise,contrast",
    "score worse --metric ./width.mjs --out worse.csv",
  ],
  "score (of degraded images) → card": ["card worse.csv"],
  "label degrade → calibrate → judge": [
    "calibrate worse/pairs.jsonl --model vlm --prompts 4 --fit-labels 4 --out worse.json",
    "judge worse/pairs.jsonl --judge worse.json --threshold 0.6 --out judged.jsonl --review queue.jsonl",
  ],
  "build → generate → score": [
    "build --benchmark attribute-confusion --run run --prompts 3",
    "generate --run run --model lab:painter-slight --samples 1",
    "generate --run run --model lab:painter-strong --samples 1",
    "score run --metric vqa-score --model lab:vqa",
  ],
  "score → card of the run": ["card run"],
  "report --tables → analyze contrastive": [
    "report run --tables tables",
    "analyze contrastive tables/swap-all.csv",
  ],
  "report --tables → card": ["card tables/swap-all.csv"],
  "run export → compare": [
    "run export run --parquet --out parquet",
    `compare parquet/scores/step=score-images-vqa-score-lab-vqa/${part}`,
  ],
  "build → generate → score (prototypicality)": [
    "build --run proto --prompts 4 --domain animals --drawable-by lab:painter",
    "generate --run proto",
    "score proto --metric ./width.mjs",
  ],
  "report --tables → analyze contrastive (prototypicality)": [
    "report proto --tables triplets",
    "analyze contrastive triplets/contrastive.csv",
  ],
  "export pairs → calibrate → judge": [
    "export pairs proto --out trained --kind contrastive",
    "calibrate trained/pairs.jsonl --model vlm --prompts 4 --fit-labels 4 --out trained.json",
    "judge trained/pairs.jsonl --judge trained.json --threshold 0.6 --out decided.jsonl --review undecided.jsonl",
  ],
  "metrics localize → score": [
    "metrics localize described.jsonl --model segmenter --out masks",
    "score described.jsonl --metric localized-vqa-score=vlm,masks:masks --out localized.csv",
  ],
  "study export → agreement": [
    exported("people", "agreement"),
    "analyze agreement people-agreement.csv --scale ordinal",
  ],
  "study export → contrastive": [
    exported("people", "contrastive"),
    "analyze contrastive people-contrastive.csv",
  ],
  "study export → correlation": [
    exported("people", "correlation"),
    "analyze correlation people-correlation.csv --human human",
  ],
  "study export → score → correlation": [
    "score people-correlation.csv --metric ./width.mjs --out rated.csv",
    "analyze correlation rated.csv --human human",
  ],
  "study export → compare": [exported("people", "compare"), "compare people-compare.csv"],
  "study export → calibrate (ratings)": [
    exported("people", "calibrate"),
    "calibrate people-calibrate.csv --pool ordinal-4 --model vlm",
  ],
  "study export → calibrate (pairs)": [
    exported("choices", "calibrate"),
    "calibrate choices-calibrate.csv --model vlm",
  ],
  "study export → preferences": [
    exported("choices", "preferences"),
    "analyze preferences choices-preferences.csv",
  ],
  "study export → compare (pairs)": [exported("choices", "compare"), "compare choices-compare.csv"],
  "study export → attributes": [
    exported("questions", "attributes"),
    "analyze attributes questions-attributes.csv",
  ],
  "study export → calibrate (questions)": [
    exported("questions", "calibrate"),
    "calibrate questions-calibrate.csv --model vlm",
  ],
  "study export → stereotypes": [
    exported("sets", "stereotypes"),
    "analyze stereotypes sets-stereotypes.csv",
  ],
  "import promptfoo → compare": [
    `import promptfoo ${foreign}/promptfoo-0.123.1.json --out promptfoo.csv`,
    "compare promptfoo.csv --metric clip-score",
  ],
  "import arena → analyze preferences": [
    `import arena ${foreign}/arena-fastchat.json --out arena.csv`,
    "analyze preferences arena.csv",
  ],
  // Without the optional peer nothing can be queried.
  ...(duckDbInstalled()
    ? {
        "query --out → analyze": [
          "query people-agreement.csv SELECT\\ *\\ FROM\\ people_agreement --out asked.csv",
          "analyze agreement asked.csv --scale ordinal",
        ],
      }
    : {}),
};

/** Verbs that serve until they are stopped, or look at this machine. */
const notRun = /^touchstone (studio|study serve|lab serve|doctor|models|init)\b/;

test("each pair of verbs, without a flag that says how, and what is printed as the next command", async () => {
  const { run, write, read, workingDirectory } = await chain();
  await fittingServer(workingDirectory);
  await write("texts.csv", texts.join("\n"));
  await write("width.mjs", widthMetric);
  await run("generate texts.csv --out images --model lab:painter-slight");
  const images = (await read("images/metadata.jsonl"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  await ask({ write, run, workingDirectory }, images);
  const broken: Record<string, string> = {};
  const ran = new Set<string>();
  for (const [pair, words] of Object.entries(pairs)) {
    // Where a file is the usual one, whatever made one before is out of the way.
    for (const name of await readdir(workingDirectory)) {
      if (/^(judge|results|review)\b/.test(name)) {
        await rm(join(workingDirectory, name), { recursive: true });
      }
    }
    for (const line of words) {
      if (ran.has(line)) continue;
      ran.add(line);
      const printed = await run(line).catch((error: Error) => {
        broken[`${pair}: ${line}`] = error.message;
        return "";
      });
      for (const next of nextCommandsIn(printed)) {
        const [, given = ""] = next.split("touchstone ");
        if (notRun.test(next) || next.includes(" | ") || ran.has(given)) continue;
        ran.add(given);
        await run(given).catch((error: Error) => {
          broken[`${pair}: Next: ${given}`] = error.message;
        });
      }
    }
  }
  expect(broken).toEqual({});
});

/** Puts images to people, by each protocol that a table is made of, and has two answer. */
async function ask(
  {
    write,
    run,
    workingDirectory,
  }: Pick<Awaited<ReturnType<typeof chain>>, "write" | "run" | "workingDirectory">,
  images: readonly { readonly file_name: string; readonly text: string; readonly model: string }[],
): Promise<void> {
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join("\n");
  const items = images.flatMap(({ file_name, text, model }, at) =>
    ["correct", "adversarial"].map((of) => ({
      id: `${of}-${at}`,
      image: `images/${file_name}`,
      text,
      model: `${model} ${of}`,
      pair: `pair-${at}`,
      side: of,
      domain: "people",
      mine: at,
    })),
  );
  const files = images.map(({ file_name }) => `images/${file_name}`);
  const small = Array.from({ length: 6 }, (_, at) => `small-${at}.png`);
  for (const name of small) {
    await writeFile(join(workingDirectory, name), colouredImage(name, 0, side));
  }
  const choices = images.map(({ text }, at) => ({
    id: `choice-${at}`,
    caption: text,
    image_a: files[at],
    image_b: files[(at + 1) % files.length],
    model_a: "one",
    model_b: "other",
  }));
  const questions = files.flatMap((image) =>
    ["reflection", "leakage"].map((kind) => ({
      id: `${kind}-${image}`,
      image,
      entity: "person",
      attribute: kind === "reflection" ? "smiling" : "seated",
      kind,
    })),
  );
  const sets = images.flatMap(({ text }, at) =>
    ["initial", "refined"].map((phase) => ({
      id: `${phase}-${at}`,
      query: text,
      item: "shows a man",
      definition: "Most people shown are men.",
      images: files,
      category: "occupational",
      model: "one",
      phase,
      imageSet: "1",
      present: at % 2,
    })),
  );
  // What calibrate's next command judges.
  await write("pairs.csv", `id,caption,image_a,image_b\none,a hat,${files[0]},${files[1]}\n`);
  await write("images.csv", `image,text,question\n${files[0]},a hat,Is it a hat?\n`);
  await write(
    "described.jsonl",
    lines(small.map((image) => ({ image, text: "A room with a red chair and a blue table." }))),
  );
  const studies = {
    people: { protocol: "rating", rows: items },
    choices: { protocol: "pairwise", rows: choices },
    questions: { protocol: "localized", rows: questions },
    sets: { protocol: "rubric", rows: sets },
  };
  const numberOf = (item: Readonly<Record<string, unknown>>) => JSON.stringify(item).length;
  const answers = {
    rating: (item) => ({ value: 1 + (numberOf(item) % 4) }),
    pairwise: (item) => ({ preferred: numberOf(item) % 2 ? "a" : "b" }),
    localized: (item) => ({ value: String(item.question).includes("smiling") ? "yes" : "no" }),
    rubric: (item) => ({ present: numberOf(item) % 2 === 0, images: [] }),
  } satisfies Record<string, Parameters<typeof answerStudy>[1]["answer"]>;
  for (const [name, { protocol, rows }] of Object.entries(studies)) {
    // Sides are swapped by person, so that two who like the first one disagree.
    const people = protocol === "pairwise" ? ["one"] : ["one", "two"];
    await write(`${name}.jsonl`, lines(rows));
    const blocks = [{ protocol, from: `${name}.jsonl`, ratingsPerItem: people.length }];
    const study = { title: "Right?", consent: "I agree.", open: true, blocks };
    await write(`${name}.yaml`, JSON.stringify(study));
    await run(`study create ${name}.yaml --run ${name}`);
    const home = await openStudyFolder(join(workingDirectory, name));
    const service = await StudyService.open(home);
    const answer = new Map(Object.entries(answers)).get(protocol);
    if (answer === undefined) throw new Error(`Expected an answer to ${protocol}`);
    for (const id of people) await answerStudy(service, { id, answer });
  }
}

test("calibrate → judge → study → export → calibrate --add: each by what the one before printed", async () => {
  const { run, write, read, workingDirectory } = await chain();
  const { server } = await pairServer({
    directory: workingDirectory,
    labels: 200,
    others: 40,
    errs: 1.5,
  });
  await write(
    "touchstone.config.yaml",
    `models: { own: { provider: openai-compatible, model: own, baseUrl: "${server.baseUrl}" } }\ncache: { directory: kept }\n`,
  );
  const next = (printed: string) => (nextCommandsIn(printed)[0] ?? "").replace(/^touchstone /, "");
  await run("calibrate labels.jsonl --model own --prompts 6 --target-error 0.2");
  const before = JSON.parse(await read("judge.json"));
  await run("judge pairs.jsonl --judge judge.json --target-error 0.2");
  const queue = await rowsIn(read("review.jsonl"));
  expect(queue.length).toBeGreaterThan(0);
  const study = { title: "Which?", consent: "I agree.", open: true };
  const blocks = [{ protocol: "pairwise", from: "review.jsonl", ratingsPerItem: 1, tie: "none" }];
  await write("study.yaml", JSON.stringify({ ...study, blocks }));
  await run("study create study.yaml --run STUDY");
  const home = await openStudyFolder(join(workingDirectory, "STUDY"));
  const app = await StudyService.open(home);
  await answerStudy(app, {
    id: "planted",
    answer: () => ({ preferred: "a" }),
  });
  const exportedPeople = await run("study export STUDY --table calibrate --out people.jsonl");
  const people = await rowsIn(read("people.jsonl"));
  expect(people).toHaveLength(queue.length);
  const add = next(exportedPeople);
  expect(add).toContain("--add people.jsonl");
  expect(add).toContain("--model own");
  const asked = server.received.length;
  await run(add);
  // Nothing is asked again for what a judge was asked about before.
  expect(server.received.length).toBe(asked);
  const after = JSON.parse(await read("judge.json"));
  expect(after.certification).toEqual(before.certification);
  await run("judge pairs.jsonl --judge judge.json --target-error 0.2");
  const results = await rowsIn(read("results.jsonl"));
  const decided = new Map(results.map(({ id, decision }) => [id, decision]));
  // What people said stands, whatever the judge said.
  expect(people.map(({ id }) => decided.get(id))).toEqual(people.map(({ preferred }) => preferred));
});

const rowsIn = async (text: Promise<string>): Promise<Record<string, unknown>[]> =>
  (await text)
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
