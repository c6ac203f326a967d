import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { openStudy } from "../../src/studies/home/open-study.js";
import { StudyService } from "../../src/studies/server/study-service.js";
import { answerStudy } from "../support/answer-study.js";
import { duckDbInstalled } from "../support/duckdb-installed.js";
import { noPostgres, PostgresServer } from "../support/postgres-server.js";
import { colouredImage, scriptedOpenAi } from "../support/scripted-openai.js";

/** Where the commands of a document are run, block after block. */
export interface Place {
  readonly directory: string;
  readonly markdown: string;
  /** Of the environment, in this block and those below it. */
  readonly variables: Record<string, string>;
  /** What the document says, and what stands in its stead here, in this block and those below it. */
  readonly words: Map<string, string>;
  /** Runs a script there. Returns what it printed. */
  readonly run: (script: string) => Promise<string>;
  /** Begins what serves until the block has run; resolves with what it said up to a word. */
  readonly beside: (line: string, until: string) => Promise<string>;
  readonly onEnd: (end: () => Promise<void>) => void;
}

/** Sees to something that a block needs. Returns why it can't be had here; nothing where it is there. */
type Need = (place: Place) => Promise<string | undefined>;

/** How documents begin the address of a database. */
const documentStore = "postgres://me@db/";

const fixtures = fileURLToPath(new URL("../fixtures", import.meta.url));

const scripted =
  (script: string): Need =>
  async ({ run }) => {
    await run(script);
    return undefined;
  };

async function put(place: Place, files: Readonly<Record<string, string | Uint8Array>>) {
  for (const [name, content] of Object.entries(files)) {
    const path = join(place.directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

let demo: Promise<string> | undefined;
afterAll(async () => {
  if (demo !== undefined) await rm(await demo, { recursive: true, force: true });
});

/** The small demo, made once for all documents. */
const demoRun: Need = async ({ directory, run }) => {
  demo ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), "touchstone-demo-"));
    await run(`touchstone demo --size small --run '${folder}'`);
    return folder;
  })();
  await cp(await demo, join(directory, "runs/demo"), { recursive: true });
  return undefined;
};

/** Where a study is that a document names: a folder, or an address whose password is in a variable. */
function studyPlace(name: string, { directory, words, variables }: Place): string {
  const store = words.get(documentStore);
  if (store === undefined || !name.startsWith(documentStore)) return join(directory, name);
  const { PGPASSWORD: password = "" } = variables;
  return Object.assign(new URL(name.replace(documentStore, store)), { password }).href;
}

/** Two people answer all of a study. Their pseudonyms stand for those of the document. */
const answersIn =
  (name: string): Need =>
  async (place) => {
    const { words } = place;
    const home = await openStudy(studyPlace(name, place));
    const service = await StudyService.open(home);
    const answer = (item: Readonly<Record<string, unknown>>) => {
      if ("a" in item) return { preferred: "a", ...(item.why === true ? { why: "sharper" } : {}) };
      if ("question" in item) return { value: "yes" };
      if (Array.isArray(item.images)) return { present: true, images: [] };
      return "text" in item ? { value: 2 } : { words: "a nurse in white", comments: {} };
    };
    for (const pseudonym of ["p-abcdefghij", "p-bcdefghijk"]) {
      const { participant } = await answerStudy(service, { answer });
      words.set(pseudonym, participant);
    }
    return undefined;
  };

/** Coders who give each passage the first code. */
const codersSheets: Need = async (place) => {
  const [head = "", ...rows] = (await readFile(join(place.directory, "passages.csv"), "utf8"))
    .trim()
    .split(/\r?\n/);
  const sheet = [head, ...rows.map((row) => `${row}sameness`), ""].join("\n");
  const codebook = "codes:\n  - {code: sameness}\n";
  await put(place, { "anna.csv": sheet, "ben.csv": sheet, "codebook.yaml": codebook });
  return undefined;
};

const battles = ["model_a", "model_b", "tie"].map((winner, at) =>
  JSON.stringify({ question_id: at, model_a: "x", model_b: "y", winner }),
);

/** What the comments above blocks of commands may name. */
export const needs: Readonly<Record<string, Need>> = {
  "runs/demo": demoRun,
  "cat.png": async (place) => {
    await put(place, { "cat.png": colouredImage("cat") });
    return undefined;
  },
  images: async (place) => {
    const names = ["red", "green", "blue"];
    const captions = ["file_name,text", ...names.map((name) => `${name}.png,${name}`), ""];
    await put(place, { "images/metadata.csv": captions.join("\n") });
    for (const name of names) await put(place, { [`images/${name}.png`]: colouredImage(name) });
    return undefined;
  },
  "mine.mjs": async (place) => {
    const contributing = await readFile(new URL("../../CONTRIBUTING.md", import.meta.url), "utf8");
    const [, text = ""] = /<<'END'\n(.*?)^END$/ms.exec(contributing) ?? [];
    await put(place, { "mine.mjs": text });
    return undefined;
  },
  "mine.py": async (place) => {
    const [, text = ""] = /^```python\n# mine\.py\n(.*?)^```$/ms.exec(place.markdown) ?? [];
    await put(place, { "mine.py": text });
    const pillow = await place.run("python3 -c 'import PIL' 2>&1 || true");
    return pillow === "" ? undefined : "Pillow is not installed";
  },
  "image sets": scripted(
    `mkdir shards && cp '${fixtures}/image-sets/webdataset.tar' shards/1.tar && ` +
      `cp '${fixtures}/image-sets/datasets.parquet' train.parquet`,
  ),
  "results of these tools": async (place) => {
    await put(place, { "battles.jsonl": `${battles.join("\n")}\n` });
    return scripted(
      `cp '${fixtures}/foreign/promptfoo-0.123.1.json' results.json && mkdir logs && ` +
        `cp '${fixtures}'/foreign/inspect-ai-*.eval logs && ` +
        `cp '${fixtures}/foreign/label-studio-1.23.2.json' export.json`,
    )(place);
  },
  "pairs and labels": scripted("touchstone example calibrate --out given && cp -r given/* ."),
  "answers in review.jsonl": scripted(
    `sed -i 's/"preferred":null/"preferred":"a"/' review.jsonl && grep -q '"preferred":"a"' review.jsonl`,
  ),
  "what the studio opens": scripted(
    "touchstone example calibrate --out given && " +
      "touchstone calibrate given/labels.csv --model lab:judge --prompts 5 --target-error 0.2 --out judge.json && " +
      "touchstone judge given/pairs.csv --judge judge.json && " +
      "touchstone example card > card.csv && touchstone card card.csv --out card.json && " +
      "printf 'text\\nA dog is in the snow.\\n' > prompts.csv && " +
      "touchstone generate prompts.csv --model lab:painter --out painted && " +
      "touchstone score painted --model lab:vqa --out scores.jsonl",
  ),
  "repeated.csv": async (place) => {
    const rows = (worst: number) =>
      ["model,prompt,score"].concat(
        Array.from(
          { length: 80 },
          (_, at) => `m,prompt ${at % 5},${worst + Math.floor(at / 5) / 100}`,
        ),
      );
    const text = (worst: number) => `${rows(worst).join("\n")}\n`;
    await put(place, { "repeated.csv": text(0.6), "repeated-before.csv": text(0.6) });
  },
  "runs/benchmark": scripted(
    "touchstone build --run runs/benchmark --prompts 4 --drawable-by lab:painter --split evaluation && " +
      "touchstone generate --run runs/benchmark --model lab:painter --samples 1",
  ),
  "a served lab": async ({ beside, variables }) => {
    const said = await beside("touchstone lab serve --port 0", "Next");
    variables.OPENAI_BASE_URL = /http:\S+\/v1/.exec(said)?.[0] ?? "";
    return undefined;
  },
  "a hosted model": async ({ variables, onEnd }) => {
    const chat = () => ({ text: "Yes", probabilities: { Yes: 0.9, No: 0.1 } });
    Object.assign(variables, (await scriptedOpenAi({ chat, onEnd })).variables);
    return undefined;
  },
  PostgreSQL: async ({ variables, words, onEnd }) => {
    if (noPostgres !== undefined) return noPostgres;
    const server = await PostgresServer.start();
    onEnd(() => server.stop());
    const port = String(server.port);
    Object.assign(variables, { PGHOST: "127.0.0.1", PGPORT: port, PGUSER: "tests" });
    variables.PGPASSWORD = PostgresServer.password;
    words.set("PGPASSWORD=…", `PGPASSWORD=${PostgresServer.password}`);
    words.set(documentStore, server.address("", { password: false }));
    return undefined;
  },
  "a bucket": async ({ words, onEnd }) => {
    const { noS3, S3Server } = await import("../support/s3-server.js");
    if (noS3 !== undefined) return noS3;
    const server = await S3Server.start();
    onEnd(() => server.stop());
    await server.newBucket("images");
    for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]) {
      words.set(`${name}=…`, `${name}=tests`);
    }
    return undefined;
  },
  DuckDB: async () => (duckDbInstalled() ? undefined : "@duckdb/node-api is not installed"),
  "published tables": async ({ variables }) => {
    const { TOUCHSTONE_DATA } = process.env;
    if (TOUCHSTONE_DATA === undefined) return "TOUCHSTONE_DATA names no folder with them";
    variables.DATA = TOUCHSTONE_DATA;
    return undefined;
  },
  "studies/first served": async ({ beside }) => {
    await beside("touchstone study serve studies/first", "open http");
    return undefined;
  },
  "study.yaml": scripted(
    "[ -e given ] || { touchstone example study --out given && cp -r given/* .; }",
  ),
  "answers in studies/first": answersIn("studies/first"),
  "answers in studies/ratings": answersIn("studies/ratings"),
  [`answers in ${documentStore}touchstone/first`]: answersIn(`${documentStore}touchstone/first`),
  "a study of each protocol": async (place) => {
    const study = `'${fixtures}/foreign/label-studio-study/study'`;
    await place.run(`rm -rf studies/first && mkdir -p studies && cp -r ${study} studies/first`);
    return answersIn("studies/first")(place);
  },
  "export.json of Label Studio": scripted(
    `cp '${fixtures}/foreign/label-studio-study/1.23.2/rating.json' export.json`,
  ),
  transcripts: async (place) => {
    await put(place, {
      "p7.vtt": "WEBVTT\n\n00:00:01.000 --> 00:00:04.500\n<v P7>Somebody in white.\n",
      "p8.txt": "P8: Somebody who helps.\n",
    });
    return undefined;
  },
  "coders' sheets": codersSheets,
};
