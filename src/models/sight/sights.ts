import { z } from "zod";
import type { Acuity } from "../../analysis/sanity/sanity-text.js";
import { allEnded } from "../../core/all-ended.js";
import { InputError } from "../../core/errors.js";
import { type Key, keyOf } from "../../core/keys.js";
import {
  type CallOptions,
  type ChatModel,
  type Model,
  modelName,
  placedName,
} from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import type { ReplyStore } from "../cache/reply-store.js";
import { asking, checkSight } from "./check-sight.js";
import { colourNames, discImage, type Shape } from "./colour-images.js";
import { notLooked, type Sight, sightSchema } from "./sight.js";

/** A model that is about to be shown images, the largest of them, and how many at a time. */
export interface Look {
  readonly model: Model;
  readonly shape?: Shape | undefined;
  readonly images: 1 | 2;
}

/** Raised when what was found before says nothing any more. */
const version = 1;
const keptFor = 60 * 60 * 1000;
const keptSchema = z.object({ at: z.number(), images: z.literal([1, 2]), sight: sightSchema });

/**
 * Sight of the models of one command line: each is checked before it is shown the first image, and not again
 * within an hour where replies are kept.
 */
export class Sights {
  /** Results by name and address of the model. */
  readonly found = new Map<string, Sight>();
  /** The smallest details that models see, of those that were asked, by the same names. */
  readonly acuities = new Map<string, Acuity>();
  readonly #replies: ReplyStore;
  readonly #seed: string | number;
  readonly #now: () => Date;
  /** Whether anything is to be checked. */
  readonly isOn: boolean;
  readonly #allowsBlind: boolean;

  constructor({
    replies,
    seed,
    now,
    isOn = true,
    allowsBlind = false,
  }: {
    readonly replies: ReplyStore;
    /** Draws the colours; another in each command. */
    readonly seed: string | number;
    readonly now: () => Date;
    /** False for --no-sanity: all are then `skipped`. */
    readonly isOn?: boolean;
    readonly allowsBlind?: boolean;
  }) {
    this.#replies = replies;
    this.#seed = seed;
    this.#now = now;
    this.isOn = isOn;
    this.#allowsBlind = allowsBlind;
  }

  /** The looks of models whose sight is not known yet; others are noted as they were found. */
  async unknown(looks: Iterable<Look>): Promise<Look[]> {
    const unknown: Look[] = [];
    for (const look of looks) {
      const name = placedName(look.model.identity);
      if (this.found.has(name)) continue;
      const kept = this.isOn ? await this.#kept(name) : undefined;
      const isFresh =
        kept !== undefined &&
        kept.images >= look.images &&
        this.#now().getTime() - kept.at < keptFor;
      if (isFresh) this.found.set(name, kept.sight);
      else if (this.isOn) unknown.push(look);
      else this.found.set(name, notLooked("skipped"));
    }
    return unknown;
  }

  /** Notes what was found before of models whose answers were all there, however long ago. */
  async recall(names: Iterable<string>): Promise<void> {
    for (const name of this.isOn ? names : []) {
      if (foundOf(name, this.found) !== undefined) continue;
      const kept = await this.#kept(name);
      if (kept !== undefined) this.found.set(name, kept.sight);
    }
  }

  /** The check itself, such as to count its calls. */
  readonly check = ({ model, shape, images }: Look, options: CallOptions = {}): Promise<Sight> =>
    checkSight(model, { ...options, seed: this.#seed, images, ...(shape && { shape }) });

  /** Checks a model and keeps what was found. */
  async look(look: Look, options: CallOptions): Promise<void> {
    const sight = await this.check(look, options);
    this.found.set(placedName(look.model.identity), sight);
    // A model that was down, or refused, may answer when it is asked again.
    if (sight.said.some((said) => !said.startsWith("("))) await this.#keep(look, sight);
  }

  /** Measures the smallest detail that a model sees, of one that is shown images and is not blind. */
  async measure(model: ChatModel, options: CallOptions): Promise<void> {
    const name = placedName(model.identity);
    const state = this.found.get(name)?.state;
    if (!this.isOn || this.acuities.has(name)) return;
    if (state !== "sees" && state !== "unclear") return;
    const acuity = await measureAcuity(model, { ...options, seed: this.#seed });
    if (acuity !== undefined) this.acuities.set(name, acuity);
  }

  /** What is wrong with the models' sight, a sentence each. */
  texts(): string[] {
    return [...this.found].flatMap(([name, sight]) => sightText(name, sight) ?? []);
  }

  /** @throws InputError where a model is blind and that is not allowed */
  refuseBlind(): void {
    if (this.#allowsBlind) return;
    for (const [name, sight] of this.found) if (sight.state === "blind") throw blind(name, sight);
  }

  async #kept(name: string): Promise<z.output<typeof keptSchema> | undefined> {
    const text = await this.#replies.read(keyOfSight(name));
    return text === undefined ? undefined : keptSchema.safeParse(JSON.parse(text)).data;
  }

  async #keep({ model, images }: Look, sight: Sight): Promise<void> {
    const text = JSON.stringify({ at: this.#now().getTime(), images, sight });
    // What can't be kept is asked again.
    await this.#replies.write(keyOfSight(placedName(model.identity)), text).catch(() => {});
  }
}

/** How a model is asked for P(yes) stands in its name where a revision does, and changes nothing in what it sees. */
/** A model's name without its revision, with its address. */
export const unversioned = (name: string) => name.replace(/@\S+/, "");

const keyOfSight = (name: string): Key => keyOf({ sight: version, model: unversioned(name) });

/**
 * Sight by the name of each model, with its address where two have one name. A model that was not asked is
 * `exempt` where nothing lies between it and its images, else `skipped`.
 *
 * @param names as `modelsBehind` has them
 */
export function sightsOf(
  names: readonly string[],
  sights: Sights | undefined,
): Record<string, { readonly sight: Sight; readonly acuity?: Acuity }> {
  const distinct = [...new Set(names)];
  const bare = (name: string) => name.replace(/ at \S+$/, "");
  const isShared = (name: string) =>
    distinct.filter((other) => bare(other) === bare(name)).length > 1;
  return Object.fromEntries(
    distinct.map((name) => {
      const isElsewhere = / at \S+$/.test(name) || name.startsWith("python-bridge:");
      const sight = foundOf(name, sights?.found) ?? notLooked(isElsewhere ? "skipped" : "exempt");
      const acuity = foundOf(name, sights?.acuities);
      const found = acuity === undefined ? { sight } : { sight, acuity };
      return [isShared(name) ? name : bare(name), found];
    }),
  );
}

const foundOf = <Found>(name: string, found?: ReadonlyMap<string, Found>): Found | undefined =>
  [...(found ?? [])].find(([other]) => unversioned(other) === unversioned(name))?.[1];

/** What is wrong with a model's sight, a sentence; `undefined` where nothing is. */
export function sightText(name: string, { state, right, of, note }: Sight): string | undefined {
  const why = note === undefined ? "" : ` (${note})`;
  if (state === "blind") {
    return `${name} does not see the images: ${right} of ${of} colours are right${why}`;
  }
  if (state === "unclear") {
    return `Whether ${name} sees the images is unclear: ${right} of ${of} colours are right${why}`;
  }
  return undefined;
}

/** What a server usually lacks whose model is blind. */
export const blindAdvice =
  "Such servers lack a projector file (llama.cpp: --mmproj), a build with vision, or serve another model " +
  "under that name";

function blind(name: string, sight: Sight): InputError {
  const pairs = sight.drawn.map((drawn, at) => `  drawn ${drawn}; answered ${sight.said[at]}`);
  return new InputError(sightText(name, sight) ?? name, {
    hint: [...pairs, `${blindAdvice}. Mend the server, or go on with --allow-blind.`].join("\n"),
  });
}

const question =
  "There is one disc in this image. Which colour is it: red, green, blue, yellow, black or white? " +
  "Answer with one word.";

const enough = 3;
const diameters = [256, 128, 64, 32, 16, 8, 4] as const;

/**
 * Measures down to which size a model names the colour of a disc on mid grey in an image of 1,024 x 1,024
 * pixels: four times a size, from large to small, ending at the first size with fewer than three right.
 *
 * @returns undefined where calls without an answer leave that open
 */
export async function measureAcuity(
  model: ChatModel,
  { seed, ...options }: CallOptions & { readonly seed: string | number },
): Promise<Acuity | undefined> {
  const random = randomFrom("acuity", seed, modelName(model.identity));
  let pixels: number | null = null;
  for (const diameter of diameters) {
    // Four different colours: no question is asked twice.
    const colours = random.shuffle(colourNames).slice(0, 4);
    const discs = await allEnded(colours.map((colour) => discImage({ colour, diameter }, random)));
    const asked = await allEnded(discs.map((image) => asking(model, [image, question], options)));
    const isRight = ({ named }: (typeof asked)[number], at: number) =>
      named.length === 1 && named[0] === colours[at];
    const right = asked.filter(isRight).length;
    const silent = asked.filter(({ isAnswered }) => !isAnswered).length;
    if (right < enough && right + silent >= enough) return undefined;
    if (right < enough) break;
    pixels = diameter;
  }
  return { pixels, of: 1024 };
}
