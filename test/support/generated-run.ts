import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { type Hash, type Key, keyOf } from "../../src/core/keys.js";
import { peopleModel, peopleName } from "../../src/core/models.js";
import { randomFrom } from "../../src/core/random.js";
import type { RecordOf } from "../../src/core/records.js";
import { writeRun } from "./write-run.js";

const generatedMetrics = ["clip-score", "vqa-score", "pick-score", "hps", "rating"] as const;
const generatedDomains = ["animals", "objects", "demography"] as const;
const roles = ["correct", "adversarial", "control-correct", "control-adversarial"] as const;

interface GeneratedOptions {
  /** A multiple of four, or of `models`: each prompt has so many images. */
  readonly images: number;
  /** Generators that painted each prompt once; without, one painted it in each of four roles. */
  readonly models?: number;
  /** Pixels. */
  readonly side?: number;
  /** Of `generatedMetrics`, the first so many. */
  readonly metrics?: number;
  /** What stands before every prompt. */
  readonly prompt?: string;
  /** Whether people rated every other image, too. */
  readonly people?: boolean;
  /** Other scores of the same images, for another seed. */
  readonly seed?: string;
}

/** What stands in the run's files, for whoever works out what must be answered. */
export interface GeneratedRun {
  readonly directory: string;
  readonly prompts: readonly RecordOf<"prompt">[];
  readonly images: readonly RecordOf<"image">[];
  readonly scores: readonly RecordOf<"score">[];
}

/**
 * Writes a finished contrastive run of any size without a model: prompts, images that are JPEGs of
 * smooth colours, and scores drawn by a seed. One image in a hundred was refused, one score in fifty
 * timed out, and one in twenty ties with that of the pair's other image.
 */
export async function generatedRun(
  directory: string,
  {
    images: count,
    models,
    side = 64,
    metrics = generatedMetrics.length,
    prompt: before = "",
    seed,
    people = false,
  }: GeneratedOptions,
): Promise<GeneratedRun> {
  const painted =
    models === undefined
      ? roles.map((role) => ({ role, model: "test:squares" }))
      : Array.from({ length: models }, (_, at) => ({
          role: roles[0],
          model: `test:squares-${at + 1}`,
        }));
  const prompts = Array.from({ length: count / painted.length }, (_, at) =>
    promptRecord(at, before),
  );
  const files = await writeImages(directory, { count, side });
  const images = prompts.flatMap((prompt, at) =>
    painted.map((by, place) =>
      imageRecord(prompt, { ...by, file: files[at * painted.length + place], side }),
    ),
  );
  const texts = new Map(prompts.map((prompt) => [prompt.key, textOf(prompt)]));
  const chosen = generatedMetrics.slice(0, metrics);
  const byMetric = chosen.map((metric) => scoreRecords(metric, { images, texts, seed }));
  if (people) {
    const rated = images.filter((_, at) => at % 2 === 0);
    const model = peopleModel("0123abcd");
    byMetric.push(scoreRecords(peopleName, { images: rated, texts, seed, model }));
  }
  await writeRun(directory, {
    command: "touchstone demo --run runs/generated",
    steps: [
      { name: "build-prompts", produces: "prompt", records: prompts },
      { name: "paint-images", produces: "image", records: images },
      ...byMetric.map((records, at) => ({
        name: "score-images",
        part: records[0]?.metric ?? generatedMetrics[at],
        produces: "score",
        records,
      })),
    ],
  });
  return { directory, prompts, images, scores: byMetric.flat() };
}

/** Makes the last metric of a run the rater of its filter, which keeps pairs from 0.4 on. */
export async function filterBy({ directory, images }: GeneratedRun): Promise<void> {
  const part = "rating";
  const files = await readdir(join(directory, "records"));
  const file = join(directory, "records", files.find((name) => name.includes(part)) ?? "");
  const texts = new Map(images.map(({ key, text }) => [key, text]));
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  const rated = lines.map((line) => {
    const score: RecordOf<"score"> = JSON.parse(line);
    return JSON.stringify({ ...score, text: texts.get(score.of), step: "rate-images@1" });
  });
  const recipe: { steps: { name: string; part?: string }[] } = JSON.parse(
    await readFile(join(directory, "run.json"), "utf8"),
  );
  const steps = recipe.steps.map((step) => {
    if (step.part !== part) return step;
    const { part: _, ...rest } = step;
    const parameters = { metric: part, model: "test:scores", range: [0, 1], keepFrom: 0.4 };
    return { ...rest, name: "rate-images", parameters };
  });
  await writeFile(join(directory, "run.json"), JSON.stringify({ ...recipe, steps }));
  await rm(file);
  const place = String(steps.length).padStart(2, "0");
  await writeFile(
    join(directory, "records", `${place}-rate-images.jsonl`),
    `${rated.join("\n")}\n`,
  );
}

function promptRecord(at: number, before: string): RecordOf<"prompt"> {
  const domain = generatedDomains[at % generatedDomains.length] ?? "";
  const about = {
    benchmark: "prototypicality",
    split: "evaluation",
    domain,
    category: "bird",
    nonPrototype: `kiwi ${at}`,
    prototype: "robin",
    knob: "count",
    right: "one",
    wrong: "two",
    extra: "log",
    environment: "desert",
    writer: "test",
  } as const;
  return {
    schema: 1,
    type: "prompt",
    key: keyOf({ ...about, at }),
    step: "build-prompts@1",
    attempt: 1,
    ...about,
    status: "done",
    text: `${before}Bird number ${at} is in a desert with exactly one log.`,
    correct: `${before}Kiwi number ${at} is in a desert with exactly one log.`,
    adversarial: `${before}Robin number ${at} is in a desert with exactly two logs.`,
    controlCorrect: `${before}Robin number ${at} is in a desert with exactly one log.`,
    controlAdversarial: `${before}Kiwi number ${at} is in a desert with exactly two logs.`,
  };
}

const textOf = (prompt: RecordOf<"prompt">) => (prompt.status === "done" ? prompt.text : "");

function imageRecord(
  prompt: RecordOf<"prompt">,
  {
    role,
    model,
    file,
    side,
  }: {
    readonly role: (typeof roles)[number];
    readonly model: string;
    readonly file: Hash | undefined;
    readonly side: number;
  },
): RecordOf<"image"> {
  const texts = new Map<string, unknown>(Object.entries(prompt));
  const camel = role.replace(/-(\w)/, (_, letter: string) => letter.toUpperCase());
  const about = {
    prompt: prompt.key,
    role,
    sample: 0,
    text: String(texts.get(camel)),
    seed: 1,
    model,
  };
  const named = {
    schema: 1,
    type: "image",
    key: keyOf(about),
    step: "paint-images@1",
    attempt: 1,
    ...about,
  } as const;
  if (file === undefined || randomFrom(named.key).chance(0.01)) {
    const detail = "not this one";
    return { ...named, status: "unscored", reason: "refused", retryable: false, detail };
  }
  const mediaType = "image/jpeg";
  return { ...named, status: "done", image: file, mediaType, width: side, height: side };
}

function scoreRecords(
  metric: string,
  {
    images,
    texts,
    seed,
    model = "test:scores",
  }: {
    readonly model?: string;
    readonly images: readonly RecordOf<"image">[];
    readonly texts: ReadonlyMap<Key, string>;
    readonly seed: string | undefined;
  },
): RecordOf<"score">[] {
  return images.flatMap((image): RecordOf<"score">[] => {
    if (image.status === "unscored") return [];
    const about = {
      of: image.key,
      image: image.image,
      text: texts.get(image.prompt) ?? "",
      metric,
      metricVersion: 1,
      statistic: "P(yes)",
      model,
      range: [0, 1] satisfies [number, number],
      direction: "higher",
      trial: 0,
    } as const;
    const named = {
      schema: 1,
      type: "score",
      key: keyOf({ ...about, range: [0, 1] }),
      step: `score-images@1`,
      attempt: 1,
      ...about,
      range: [0, 1] satisfies [number, number],
    } as const;
    const random = randomFrom(named.key, ...(seed === undefined ? [] : [seed]));
    if (random.chance(0.02)) {
      const detail = "no answer within 30 s";
      return [{ ...named, status: "unscored", reason: "timeout", retryable: true, detail }];
    }
    const isTied = randomFrom(image.prompt, metric).chance(0.05);
    const value = isTied ? 0.5 : random.next();
    return [{ ...named, status: "done", value, question: `Is it "${about.text}"?` }];
  });
}

/** Distinct pictures are encoded a few times; a comment in the file makes each a file of its own. */
async function writeImages(
  directory: string,
  { count, side }: { readonly count: number; readonly side: number },
): Promise<readonly Hash[]> {
  const encoded = await Promise.all(
    Array.from({ length: Math.min(count, 40) }, (_, at) => picture(at, side)),
  );
  const hashes: Hash[] = [];
  const folders = new Set<string>();
  for (let at = 0; at < count; at++) {
    const bytes = withComment(encoded[at % encoded.length] ?? Buffer.alloc(0), `image ${at}`);
    const hash = createHash("sha256").update(bytes).digest("hex") as Hash;
    const folder = join(directory, "blobs", hash.slice(0, 2));
    if (!folders.has(folder)) await mkdir(folder, { recursive: true });
    folders.add(folder);
    await writeFile(join(folder, `${hash}.jpg`), bytes);
    hashes.push(hash);
  }
  return hashes;
}

function picture(at: number, side: number): Promise<Buffer> {
  const random = randomFrom("picture", at);
  const [red, green, blue] = [random.next(), random.next(), random.next()];
  const data = new Uint8Array(side * side * 3);
  for (let pixel = 0; pixel < side * side; pixel++) {
    const [x, y] = [(pixel % side) / side, Math.floor(pixel / side) / side];
    data[3 * pixel] = 255 * Math.abs(Math.sin(6 * x * red + at));
    data[3 * pixel + 1] = 255 * Math.abs(Math.sin(6 * y * green + at));
    data[3 * pixel + 2] = 255 * Math.abs(Math.cos(9 * x * y * blue + at));
  }
  return sharp(data, { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 80 })
    .toBuffer();
}

/** A JPEG with a comment segment behind its start. */
function withComment(jpeg: Buffer, text: string): Buffer {
  const comment = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(comment.length + 2);
  const marker = Buffer.from([0xff, 0xfe]);
  return Buffer.concat([jpeg.subarray(0, 2), marker, length, comment, jpeg.subarray(2)]);
}
