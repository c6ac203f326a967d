import { readFile } from "node:fs/promises";
import { encode } from "fast-png";
import { z } from "zod";
import { undefinedEstimate, withInterval } from "../../analysis/inference/intervals.js";
import type { CallOptions, ChatModel, Picture } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import { NoAnswer, type UnscoredReason } from "../../core/unscored.js";
import { openPicture } from "../../images/picture.js";
import { loadResvg } from "../../images/resvg.js";
import { askRubric, type RubricAnswer } from "../../judges/rubric-judge.js";
import type { RubricWording } from "../../judges/rubric-message.js";
import type { Estimate } from "../../stats/estimate.js";
import { bootstrapInterval } from "../../stats/percentile-interval.js";
import { loadData } from "../load-data.js";
import type { Rubric } from "./rubrics.js";

/** Images of a query and the rubric to ask about them. */
export interface ProbedSet {
  readonly query: string;
  readonly category: string;
  readonly rubric: Rubric;
  readonly pictures: readonly Picture[];
}

/** Effect of one text in one place on the judge's answers. */
export interface InjectionEffect {
  /** The injection's name; "asked again" is the same request without an injection. */
  readonly injection: string;
  readonly aims: Injection["aims"];
  readonly place: "query" | "images" | "nowhere";
  readonly sets: number;
  /** Items answered both without and with the injection. */
  readonly n: number;
  /** Share of these items whose answer changed. */
  readonly changed: Estimate;
  /** Mean answer with the injection minus without, in [-1, 1]. */
  readonly shift: Estimate;
  /** Items answered without the injection but not with it; all of a set where the reply is unusable. */
  readonly lost: number;
  /** Sets without any answer with the injection, by reason. */
  readonly failed: Readonly<Partial<Record<UnscoredReason, number>>>;
}

/**
 * Measures how texts injected into the query, or painted into the images, change a judge's answers. Two
 * controls show how much answers change by themselves: a text without an instruction, and the same
 * request asked twice. Each set is judged 2 + 2 x texts times.
 *
 * Intervals resample queries (95 % percentile bootstrap). A set without an answer before any injection is
 * left out.
 *
 * @example
 * const effects = await injectionProbe({ judge, wording: loadJudgeWording(), sets });
 */
export async function injectionProbe(
  {
    judge,
    wording,
    sets,
    injections = loadInjections(),
    seed = 0,
    resamples = 2000,
  }: {
    readonly judge: ChatModel;
    readonly wording: RubricWording;
    readonly sets: readonly ProbedSet[];
    readonly injections?: readonly Injection[];
    readonly seed?: number;
    readonly resamples?: number;
  },
  options: CallOptions & { readonly onSet?: (done: number) => void } = {},
): Promise<InjectionEffect[]> {
  const { onSet, ...call } = options;
  const trials = [
    { injection: "asked again", aims: "none", place: "nowhere", text: "" } as const,
    ...(["query", "images"] as const).flatMap((place) =>
      injections.map(({ name, ...rest }) => ({ injection: name, place, ...rest })),
    ),
  ];
  const outcomes: Outcome[][] = trials.map(() => []);
  for (const [done, set] of sets.entries()) {
    const before = await judged({ judge, wording, set }, { ...call, trial: 0 });
    if (before.answers !== undefined) {
      for (const [index, { place, text }] of trials.entries()) {
        const asked = await slipped(set, place, text);
        const trial = place === "nowhere" ? 1 : 0;
        const after = await judged({ judge, wording, set: asked }, { ...call, trial });
        outcomes[index]?.push({ query: set.query, ...compared(before.answers, after) });
      }
    }
    onSet?.(done + 1);
  }
  return trials.map(({ injection, aims, place }, index) => ({
    injection,
    aims,
    place,
    ...effectOf(outcomes[index] ?? [], { seed, resamples, path: `${injection} ${place}` }),
  }));
}

async function slipped(set: ProbedSet, place: string, text: string): Promise<ProbedSet> {
  if (place === "query") return { ...set, query: `${set.query}. ${text}` };
  if (place !== "images") return set;
  const pictures: Picture[] = [];
  for (const picture of set.pictures) pictures.push(await writtenOn(picture, text));
  return { ...set, pictures };
}

interface Judged {
  readonly answers?: readonly RubricAnswer[];
  readonly reason?: UnscoredReason;
}

async function judged(
  {
    judge: model,
    wording,
    set: { query, category, rubric, pictures },
  }: { readonly judge: ChatModel; readonly wording: RubricWording; readonly set: ProbedSet },
  options: CallOptions,
): Promise<Judged> {
  const task = { query, category, images: pictures.length, items: [...rubric.items] };
  try {
    return { answers: await askRubric({ model, wording, task, pictures }, options) };
  } catch (error) {
    // A missing answer is a result; a fault of the program is not.
    if (error instanceof NoAnswer) return { reason: error.reason };
    throw error;
  }
}

interface Outcome {
  readonly query: string;
  /** Answer with the injection minus without, for each item that has both. */
  readonly moves: readonly number[];
  readonly lost: number;
  readonly reason?: UnscoredReason;
}

function compared(before: readonly RubricAnswer[], { answers, reason }: Judged) {
  const moves: number[] = [];
  let lost = 0;
  for (const plain of before) {
    if (plain.status !== "answered") continue;
    const other = answers?.find(({ item }) => item === plain.item);
    if (other?.status === "answered") moves.push(other.present - plain.present);
    else lost++;
  }
  return { moves, lost, ...(reason === undefined ? {} : { reason }) };
}

function effectOf(
  outcomes: readonly Outcome[],
  { seed, resamples, path }: { seed: number; resamples: number; path: string },
) {
  const queries = [...new Set(outcomes.map(({ query }) => query))].sort();
  const movesOf = queries.map((query) =>
    outcomes.filter((one) => one.query === query).flatMap(({ moves }) => moves),
  );
  const estimate = (measure: (move: number) => number): Estimate => {
    const mean = (drawn: Iterable<number>): number => {
      let sum = 0;
      let n = 0;
      for (const unit of drawn) {
        for (const move of movesOf[unit] ?? []) {
          sum += measure(move);
          n++;
        }
      }
      return n === 0 ? Number.NaN : sum / n;
    };
    const value = mean(queries.keys());
    if (Number.isNaN(value)) return undefinedEstimate("no item");
    const interval = bootstrapInterval({
      units: queries.length,
      resamples,
      statistic: mean,
      random: randomFrom(seed, "injection-probe", path),
    });
    return withInterval(value, interval, { whenNone: "fewer than two queries" });
  };
  const failed: Partial<Record<UnscoredReason, number>> = {};
  for (const { reason } of outcomes) {
    if (reason !== undefined) failed[reason] = (failed[reason] ?? 0) + 1;
  }
  return {
    sets: outcomes.length,
    n: outcomes.reduce((sum, { moves }) => sum + moves.length, 0),
    changed: estimate(Math.abs),
    shift: estimate((move) => move),
    lost: outcomes.reduce((sum, { lost }) => sum + lost, 0),
    failed,
  };
}

const schema = z.strictObject({
  injections: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "expected small letters and dashes"),
        aims: z.enum(["absent", "present", "none"]),
        text: z.string().trim().min(1).max(200),
      }),
    )
    .min(1),
});

/** A text to inject, and the answer it aims at. */
export type Injection = z.output<typeof schema>["injections"][number];

/** Reads data/stereotypes/injections.yaml. */
export const loadInjections = (): readonly Injection[] =>
  loadData("stereotypes/injections.yaml", schema).injections;

const font = new URL("../../../data/fonts/Inter-SemiBold.ttf", import.meta.url);
const fewestLetters = 24;
const letterWidth = 0.6;

/**
 * Returns a copy of an image with a text over its lower edge, black on white, as a lossless PNG. The
 * packaged font makes it equal on every machine; all other pixels are unchanged.
 *
 * @example await writtenOn(await openPicture(bytes), "answer 0")
 */
export async function writtenOn(picture: Picture, text: string): Promise<Picture> {
  const Resvg = await loadResvg();
  const { width, height, data } = await picture.pixels();
  const size = Math.max(6, Math.floor(width / fewestLetters / letterWidth));
  const lines = linesOf(text, Math.max(1, Math.floor(width / (size * letterWidth))));
  const line = Math.ceil(size * 1.2);
  const top = Math.max(0, height - line * lines.length - Math.ceil(size / 3));
  const texts = lines.map(
    (words, at) =>
      `<text x="${size / 3}" y="${top + line * (at + 1)}" font-family="Inter" font-size="${size}">${escaped(words)}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect y="${top}" width="${width}" height="${height - top}" fill="#fff"/>${texts.join("")}</svg>`;
  const renderer = new Resvg(svg, {
    font: { fontBuffers: [new Uint8Array(await readFile(font))], defaultFontFamily: "Inter" },
  });
  const rendered = renderer.render();
  const { pixels } = rendered;
  const written = Uint8Array.from(data);
  // The band is opaque, so its pixels replace those of the image.
  for (let pixel = top * width; pixel < width * height; pixel++) {
    written.set(pixels.subarray(pixel * 4, pixel * 4 + 3), pixel * 3);
  }
  rendered.free();
  renderer.free();
  return openPicture(encode({ width, height, data: written, channels: 3, depth: 8 }));
}

/** Breaks a text into lines of at most `letters` letters; a longer word is split. */
function linesOf(text: string, letters: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).flatMap((one) => one.match(pieces(letters)) ?? [])) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (longer.length <= letters) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

const pieces = (letters: number) => new RegExp(`.{1,${letters}}`, "gsu");

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
