import { encode } from "fast-png";
import type { JsonObject } from "touchstone-t2i/internal/core/json.js";
import { type Random, randomFrom } from "touchstone-t2i/internal/core/random.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { z } from "zod";
import { asRead } from "../as-read.js";
import { NotInLabEnglish, parseSentence } from "../world/english.js";
import {
  areasOf,
  displayPlaces,
  garmentKinds,
  peopleExtras,
  peoplePlaces,
} from "../world/people.js";
import { notDrawnIn } from "../world/people-english.js";
import { completedPerson, sampleGarment } from "../world/sample.js";
import {
  ages,
  type DescribedPerson,
  type Description,
  genders,
  type Scene,
  skinTones,
} from "../world/scene.js";
import { personHolds } from "../world/truth.js";
import { colours, extraKinds, places, subjects } from "../world/vocabulary.js";
import { hasBackground } from "./background.js";
import type { Defect, DefectRates } from "./defect-rates.js";
import { garmentsIn, withDefects } from "./defects.js";
import { paint } from "./paint.js";
import { readPersonPrompt } from "./skewed-prompt.js";
import { skewedScene } from "./skewed-scene.js";
import { hasDrawing, styleNames } from "./sprites.js";

const relation = {
  kind: z.string(),
  count: z.int(),
  colour: z.string().exactOptional(),
  side: z.enum(["left", "right"]).exactOptional(),
  depth: z.enum(["foreground", "background"]).exactOptional(),
  size: z.enum(["small", "large"]).exactOptional(),
};

const garment = z.object({ kind: z.string(), colour: z.string(), pattern: z.string() });

/** True content of a picture by the painter: kept beside a run's records, read by the truth alone. */
export const paintedTruth = z.object({
  style: z.string(),
  defects: z.array(z.string()),
  scene: z.object({
    subject: z.string(),
    place: z.string(),
    extras: z.array(z.object(relation)),
    person: z
      .object({
        gender: z.enum(genders),
        age: z.enum(ages),
        skin: z.enum(skinTones),
        cut: z.string(),
        hair: z.string(),
        beard: z.boolean(),
        garments: z.array(garment),
        signs: z.array(z.string()),
      })
      .exactOptional(),
    display: z.array(garment).exactOptional(),
  }),
  objects: z.array(
    z.object({
      kind: z.string(),
      /** Sort of part, of a person or of clothes. */
      role: z.enum(["body", "garment", "sign"]).optional(),
      pattern: z.string().optional(),
      colour: z.string().optional(),
      visible: z.number(),
      mask: z.array(z.int()),
    }),
  ),
});

/** Why the painter can't draw a sentence; undefined if it can. */
export function cannotDraw(sentence: string): string | undefined {
  try {
    const description = parseSentence(sentence);
    const { subject, extras } = description;
    const kinds: { kind: string; colour?: string }[] = "kind" in subject ? [subject] : [];
    const missing = [...kinds, ...extras].find(
      ({ kind, colour = anyColour(kind) }) => !hasDrawing(kind, colour),
    );
    if (missing !== undefined) {
      const { kind, colour } = missing;
      const words = colour !== undefined && hasDrawing(kind) ? `${colour} ${kind}` : kind;
      return `the lab has no drawing of "${words}"`;
    }
    const small = garmentsIn(subject).find(
      ({ kind, pattern = "plain" }) => pattern !== "plain" && !garmentKinds.get(kind)?.large,
    );
    if (small !== undefined) return `the lab can't draw a pattern on ${small.kind}`;
    if ("person" in subject && !fits(subject.person)) {
      return "the lab can't put all of that on one person";
    }
    if (description.place !== undefined && !hasBackground(description.place)) {
      return `the lab has no background for "${description.place}"`;
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof NotInLabEnglish)) throw error;
    const sign = notDrawnIn(sentence);
    if (sign !== undefined) return `the lab has no sign for "${sign}"`;
    const unknown = unknownSubject(sentence);
    return unknown === undefined
      ? `not in the lab's English: ${error.message}`
      : `the lab has no drawing of "${unknown}"`;
  }
}

/** The same of a painter that draws people by stereotypes and reads anybody's English about them. */
export const cannotDrawSkewed = (prompt: string): string | undefined =>
  readPersonPrompt(prompt) === undefined ? cannotDraw(prompt) : undefined;

/** Whether someone can be all that at once: nobody wears two hats, or a dress over trousers. */
function fits(said: DescribedPerson): boolean {
  const areas = [...said.garments.map(({ kind }) => kind), ...said.signs].flatMap(areasOf);
  if (new Set(areas).size < areas.length) return false;
  const person = completedPerson(said, randomFrom("fits"));
  return personHolds(said, { subject: "person", place: "", extras: [], person });
}

function unknownSubject(sentence: string): string | undefined {
  const kind = /^an? (.+?) (?:is|with|to the) /i.exec(asRead(sentence))?.[1]?.toLowerCase();
  const known = kind === undefined || subjects.has(kind) || /\b(person|woman|man)\b/.test(kind);
  return known ? undefined : kind;
}

const anyColour = (kind: string): string | undefined =>
  (extraKinds.get(kind) ?? peopleExtras.get(kind))?.coloured === true ? colours[0] : undefined;

/** Task of a painter, and how it errs. */
export interface PaintingTask {
  readonly prompt: string;
  readonly seed: number;
  readonly rates: DefectRates;
  /** How strongly people are drawn by stereotypes, in [0, 1]; undefined where they are not. */
  readonly skew: number | undefined;
}

/** A PNG file, and what is in the picture. */
export interface PaintedPrompt {
  readonly bytes: Uint8Array;
  readonly truth: JsonObject;
}

/**
 * Paints a prompt, and says what is in the picture.
 *
 * @throws NoAnswer "not-applicable" for what can't be drawn, "refused" where no layout shows it all.
 */
export async function paintPrompt({
  prompt,
  seed,
  rates,
  skew,
}: PaintingTask): Promise<PaintedPrompt> {
  const imagined = skew === undefined ? undefined : skewedScene(prompt, skew, seed);
  const understood =
    imagined === undefined ? understoodScene(prompt, rates, seed) : faultless(imagined);
  const style = randomFrom(seed, "style").pick(styleNames());
  const painting = await paint(understood.scene, style, seed);
  if (painting === undefined) {
    throw new NoAnswer("refused", "No layout shows every object to at least 60 %");
  }
  const { width, height, data, owners } = painting.canvas;
  return {
    bytes: encode({ width, height, data, channels: 3, depth: 8 }),
    truth: {
      style,
      defects: [...understood.defects],
      scene: JSON.parse(JSON.stringify(painting.scene)),
      objects: painting.objects.map(({ kind, colour, role, pattern, visible }, index) => ({
        kind,
        ...(role === undefined ? {} : { role }),
        ...(colour === undefined ? {} : { colour }),
        ...(pattern === undefined ? {} : { pattern }),
        visible,
        mask: runLengths(owners, index + 1),
      })),
    },
  };
}

/** The scene that a sentence of the lab's English is for a painter who errs at these rates. */
function understoodScene(prompt: string, rates: DefectRates, seed: number) {
  const reason = cannotDraw(prompt);
  if (reason !== undefined) throw new NoAnswer("not-applicable", reason);
  // Errors depend on the sentence as well, so that the pictures of one seed err apart.
  const random = randomFrom(seed, prompt, "defects");
  const { description, defects } = withDefects(parseSentence(prompt), rates, random);
  return { scene: completed(description, seed), defects };
}

const faultless = (scene: Scene) => ({ scene, defects: [] as readonly Defect[] });

/** Fills in what a description leaves open. */
function completed({ subject, place, extras }: Description, seed: number): Scene {
  const random = randomFrom(seed, "open");
  const [who, possible] = completedSubject(subject, extras, random);
  const somewhere = random.pick(possible);
  return {
    ...who,
    place: place ?? somewhere,
    extras: extras.map((extra) => {
      const colour =
        extra.colour ?? (anyColour(extra.kind) === undefined ? undefined : random.pick(colours));
      return { ...extra, count: extra.count ?? 1, ...(colour === undefined ? {} : { colour }) };
    }),
  };
}

/** Who or what is painted, and the places where it may be. */
function completedSubject(
  subject: Description["subject"],
  extras: Description["extras"],
  random: Random,
): [Pick<Scene, "subject" | "person" | "display">, string[]] {
  if ("person" in subject) {
    const person = completedPerson(
      subject.person,
      random,
      extras.map(({ kind }) => kind),
    );
    return [{ subject: "person", person }, [...peoplePlaces.keys()]];
  }
  if ("garments" in subject) {
    const display = subject.garments.map((one) => sampleGarment(one, random));
    return [{ subject: "clothes", display }, [...displayPlaces.keys()]];
  }
  const kind =
    "kind" in subject
      ? subject.kind
      : random.pick([...subjects.values()].filter((one) => one.hypernym === subject.hypernym)).kind;
  const hypernym = subjects.get(kind)?.hypernym ?? "";
  const possible = [...places.values()].filter((one) => one.for.includes(hypernym));
  return [{ subject: kind }, possible.map(({ name }) => name)];
}

/**
 * The visible mask of one object as run lengths over the row-major picture: first the pixels
 * outside, then inside, and so on, as COCO counts them (but by rows).
 */
export function runLengths(owners: Uint8Array, object: number): number[] {
  const places = Buffer.from(owners.buffer, owners.byteOffset, owners.length);
  const lengths: number[] = [];
  for (let at = 0; ; ) {
    const found = places.indexOf(object, at);
    const from = found < 0 ? owners.length : found;
    lengths.push(from - at);
    if (found < 0) return lengths;
    at = from;
    while (owners[at] === object) at++;
    lengths.push(at - from);
    if (at === owners.length) return lengths;
  }
}
