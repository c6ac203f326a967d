import { canonicalJson, type JsonObject } from "touchstone-t2i/internal/core/json.js";
import { type Hash, hashOf } from "touchstone-t2i/internal/core/keys.js";
import type { Random } from "touchstone-t2i/internal/core/random.js";
import {
  itemsOf,
  type Study,
  type StudyBlock,
  type StudyItem,
} from "touchstone-t2i/internal/studies/study.js";
import { z } from "zod";

/** Sends a request to a study's server, and resolves with its response. */
export type Ask = (request: Request) => Response | Promise<Response>;

export interface SimulatedPerson {
  /** The outside id that they come with. */
  readonly id: string;
  readonly habits: Habits;
  readonly random: Random;
  readonly recognise: (seen: Seen) => Recognised | undefined;
}

const joinedSchema = z.object({
  participant: z.string(),
  session: z.string(),
  study: z.object({
    consent: z.object({ version: z.string() }),
    background: z.array(z.object({ name: z.string(), choices: z.array(z.string()).optional() })),
    blocks: z.array(
      z.object({
        name: z.string(),
        levels: z.array(z.object({ value: z.number() })).optional(),
      }),
    ),
  }),
});
const object = z.record(z.string(), z.json()) as unknown as z.ZodType<JsonObject>;
const nextSchema = z.object({
  assignment: z.string(),
  block: z.string(),
  protocol: z.string(),
  item: object,
});

const levelsOf: Readonly<Record<string, readonly number[]>> = {
  rating: [1, 2, 3, 4],
  likert: [1, 2, 3, 4, 5],
};

/**
 * A simulated person takes part in a study over its HTTP interface, as a browser does: joins, agrees,
 * looks at each image, and answers by the truth with the errors of their habits. Resolves with their
 * pseudonym and how many items they answered.
 */
export async function takePart(
  ask: Ask,
  { id, habits, random, recognise }: SimulatedPerson,
  { url = "http://study" }: { readonly url?: string } = {},
): Promise<{ readonly participant: string; readonly answered: number; readonly code: unknown }> {
  let session = "";
  const call = async (path: string, body?: JsonObject): Promise<Response> => {
    const headers = {
      ...(session === "" ? {} : { Authorization: `Bearer ${session}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    };
    const response = await ask(
      new Request(`${url}/api/${path}`, {
        headers,
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      }),
    );
    if (response.ok) return response;
    throw new Error(`${path}: ${response.status} ${await response.text()}`);
  };
  const external = { source: "simulated", id };
  const joined = joinedSchema.parse(await (await call("participants", { external })).json());
  session = joined.session;
  const { consent, background, blocks } = joined.study;
  await call("consent", { version: consent.version, agreed: true });
  if (background.length > 0) {
    const answers = background.map(({ name, choices = [] }) => [name, choices[0] ?? null]);
    await call("background", Object.fromEntries(answers));
  }
  const constants = new Map<string, JsonObject>();
  for (let place = 0; ; place++) {
    const response = await call("next");
    if (response.status === 204) {
      const { code } = object.parse(await (await call("finish")).json());
      return { participant: joined.participant, answered: place, code };
    }
    const { assignment, block, protocol, item } = nextSchema.parse(await response.json());
    const images = new Map<string, Hash>();
    for (const name of namesIn(item)) {
      const image = await call(`images/${name}`);
      images.set(name, hashOf(new Uint8Array(await image.arrayBuffer())));
    }
    const levels = blocks.find(({ name }) => name === block)?.levels?.map(({ value }) => value);
    const isBored = habits.straightLinesFrom !== undefined && place >= habits.straightLinesFrom;
    const recognised = recognise({ block, item, images });
    if (recognised === undefined || (!isBored && random.chance(habits.skips))) {
      await call("answers", { assignment, skipped: true });
      continue;
    }
    const errs = random.chance(errorAt(habits, place));
    const said = errs
      ? wrongAnswer(protocol, {
          right: recognised.answer,
          levels: levels ?? levelsOf[protocol] ?? [],
          random,
        })
      : recognised.answer;
    const shown = asShown(protocol, { said, recognised, item, images });
    const constant = constants.get(block) ?? shown;
    constants.set(block, constant);
    await call("answers", {
      assignment,
      answer: isBored ? constant : shown,
      milliseconds: Math.round(1000 * (isBored ? 0.4 : habits.seconds * random.between(0.5, 2))),
    });
  }
}

/** The names of images in what was shown, in its order. */
function namesIn(item: JsonObject): string[] {
  const { image, images, a, b, columns } = item;
  const lists = [image, images, a, b].flat();
  const inColumns = Array.isArray(columns)
    ? columns.flatMap((column) => (object.safeParse(column).data?.images ?? []) as string[])
    : [];
  return [...lists, ...inColumns].filter((name): name is string => typeof name === "string");
}

/** An answer in the terms of what was shown: sides of a pair, names of images, letters of models. */
function asShown(
  protocol: string,
  {
    said,
    recognised: { item },
    item: shown,
    images,
  }: {
    readonly said: JsonObject;
    readonly recognised: Recognised;
    readonly item: JsonObject;
    readonly images: ReadonlyMap<string, Hash>;
  },
): JsonObject {
  if (protocol === "pairwise" && Array.isArray(shown.a)) {
    const isSwapped = images.get(String(shown.a[0])) !== item.images[0];
    const { preferred } = said;
    const sides = { a: "b", b: "a" } as const;
    if (preferred !== "a" && preferred !== "b") {
      return { preferred: shown.tie === "none" ? "a" : (shown.tie ?? "tie") };
    }
    return { preferred: isSwapped ? sides[preferred] : preferred };
  }
  if (protocol !== "mental-image" || !Array.isArray(shown.columns)) return said;
  // Comments are known by model; the browser knows letters, and these by their images.
  const comments = object.safeParse(said.comments).data ?? {};
  const models = item.content.models as readonly { model: string; images: number }[];
  const modelOf = new Map<Hash, string>();
  let at = 0;
  for (const { model, images: count } of models) {
    for (const hash of item.images.slice(at, at + count)) modelOf.set(hash, model);
    at += count;
  }
  const given = shown.columns.flatMap((column) => {
    const { label, images: names } = object.parse(column);
    const first = Array.isArray(names) ? images.get(String(names[0])) : undefined;
    const comment = first && comments[modelOf.get(first) ?? ""];
    return comment === undefined ? [] : [[String(label), comment]];
  });
  return { ...said, comments: Object.fromEntries(given) };
}

/** How a simulated person departs from the truth; each rate is known, so that estimates can be held against it. */
export interface Habits {
  /** Probability of a wrong answer to the first item. */
  readonly error: number;
  /** How much that grows by with each item, up to guessing. */
  readonly fatigue: number;
  /** From which item on they give one answer to all; never where not given. */
  readonly straightLinesFrom?: number | undefined;
  /** Probability of an item that is skipped. */
  readonly skips: number;
  /** Median seconds of a considered answer. */
  readonly seconds: number;
}

export const careful: Habits = { error: 0, fatigue: 0, skips: 0, seconds: 6 };

/** The probability of an error at the how-manieth item, from 0. */
export const errorAt = ({ error, fatigue }: Habits, place: number): number =>
  Math.min(0.5, error + fatigue * place);

/** A wrong answer to an item whose right one is known, drawn among those that can be given. */
function wrongAnswer(
  protocol: string,
  {
    right,
    levels,
    random,
  }: {
    readonly right: JsonObject;
    /** The levels that may be chosen, for rating and likert. */
    readonly levels: readonly number[];
    readonly random: Random;
  },
): JsonObject {
  switch (protocol) {
    case "rating":
    case "likert":
      return { value: random.pick(levels.filter((level) => level !== right.value)) };
    case "localized":
      return { value: right.value === "yes" ? "no" : "yes" };
    case "pairwise":
      return { preferred: random.pick(["a", "b"].filter((side) => side !== right.preferred)) };
    case "rubric":
      return { present: right.present !== true, images: [] };
    default:
      return right;
  }
}

/** The right answer to an item, as a study records it; undefined where nobody knows. */
export type TruthOf = (item: StudyItem, block: StudyBlock) => JsonObject | undefined;

/** An item as somebody sees it: the question's words and the images themselves. */
interface Seen {
  readonly block: string;
  readonly item: JsonObject;
  /** SHA-256 of each image that was shown, by the name that it was shown under. */
  readonly images: ReadonlyMap<string, Hash>;
}

/** An item that was recognised by what it shows. */
interface Recognised {
  readonly item: StudyItem;
  readonly answer: JsonObject;
}

/**
 * The right answers by what is seen of items: a simulated person gets no key and no file name either,
 * so what they know of an item they know by its images and words.
 */
export function knownAnswers(
  study: Study,
  truthOf: TruthOf,
): (seen: Seen) => Recognised | undefined {
  const known = new Map<string, Recognised>();
  for (const block of study.blocks) {
    for (const item of itemsOf(block).values()) {
      const answer = truthOf(item, block);
      if (answer === undefined) continue;
      known.set(nameOf(block.name, { content: item.content, images: item.images }), {
        item,
        answer,
      });
    }
  }
  return ({ block, item, images }) =>
    known.get(nameOf(block, { content: item, images: [...images.values()] }));
}

const words = ["text", "question", "caption", "query", "item"] as const;

const nameOf = (
  block: string,
  { content, images }: { readonly content: JsonObject; readonly images: readonly Hash[] },
): string =>
  canonicalJson([block, words.map((word) => content[word] ?? null), [...new Set(images)].sort()]);
