import { allEnded } from "../../core/all-ended.js";
import {
  type CallOptions,
  type ChatModel,
  type ImageEmbedder,
  type Model,
  modelName,
  type Picture,
  type TextEmbedder,
  turn,
} from "../../core/models.js";
import { type Random, randomFrom } from "../../core/random.js";
import { NoAnswer } from "../../core/unscored.js";
import { excerpt } from "../chat/answer-of.js";
import { withoutThought } from "../chat/said-text.js";
import { keeps } from "../contracts.js";
import {
  type ColourName,
  colourNames,
  plainColourImage,
  type Shape,
  stripedImage,
} from "./colour-images.js";
import { notLooked, type Sight } from "./sight.js";

/** The questions, word by word; servers built for tests answer them. */
export const sightQuestions = {
  stripes:
    "This image has four vertical stripes of equal width. Name their colours from left to right, each one of " +
    "red, green, blue, yellow, black or white. Answer with four words alone.",
  pair:
    "These two images have two vertical stripes of equal width each. Name their colours from left to right, " +
    "those of the first image, then those of the second, each one of red, green, blue, yellow, black or white. " +
    "Answer with four words alone.",
  plain:
    "Which colour is this image: red, green, blue, yellow, black or white? Answer with one word.",
} as const;

export interface SightOptions extends CallOptions {
  /** Draws the colours; give another for each run. */
  readonly seed: string | number;
  /** Size and format of the images: those of the largest image that the model will be shown. */
  readonly shape?: Shape;
  /** How many images the model is shown at a time, by default 1; 2 for a judge of pairs. */
  readonly images?: 1 | 2;
}

/** Right answers of 16 that chance gives 4 times in 10,000, and 27 times in 100. */
const thresholds = { sees: 9, unclear: 6, plain: 4 } as const;
const usualShape: Shape = { width: 512, height: 512, mediaType: "image/png" };

/**
 * Checks that a model sees: it names the colours of four images of four vertical stripes, 16 answers of
 * which chance gets a sixth right; where it gets at most 5, six images of one colour each follow. A model
 * without words is checked by the order of its scores. Models of the lab know only their own world and are exempt.
 *
 * @throws whatever a call fails with that is not `NoAnswer`.
 * @example (await checkSight(model, { seed: Date.now() })).state // "sees"
 */
export async function checkSight(model: Model, options: SightOptions): Promise<Sight> {
  if (model.identity.provider === "lab") return notLooked("exempt");
  if (!keeps(model, "ChatModel")) return checkSightByOrder(model, options);
  const { seed, shape = usualShape, images = 1 } = options;
  const random = randomFrom("sight", seed, modelName(model.identity));
  const draw = images === 1 ? stripeColours : pairColours;
  const asked = await allEnded(
    distinct(4, () => draw(random)).map(async (colours) => {
      const shown =
        images === 1
          ? [await stripedImage(colours, shape)]
          : await Promise.all(
              [colours.slice(0, 2), colours.slice(2)].map((two) => stripedImage(two, shape)),
            );
      const question = images === 1 ? sightQuestions.stripes : sightQuestions.pair;
      return { colours, ...(await asking(model, [...shown, question], options)) };
    }),
  );
  const right = asked.reduce((sum, one) => sum + rightOf(one), 0);
  const found = {
    right,
    of: 16,
    drawn: asked.map(({ colours }) =>
      images === 1
        ? colours.join(" ")
        : `${colours.slice(0, 2).join(" ")} | ${colours.slice(2).join(" ")}`,
    ),
    said: asked.map(({ said }) => said),
  };
  const note = images === 2 ? pairNote(asked) : undefined;
  if (right >= thresholds.sees && note === undefined) return { state: "sees", ...found };
  const unread = asked.filter(({ named }) => named.length === 0);
  if (unread.length > 1) {
    const note = `${unread.length} of its 4 answers name no colour, such as: ${unread[0]?.said}`;
    return { state: "unclear", ...found, note };
  }
  const noted = note === undefined ? found : { ...found, note };
  if (right >= thresholds.unclear) return { state: "unclear", ...noted };
  const plain = await plainAnswers(model, { random, shape, options });
  const all = {
    ...noted,
    drawn: [...found.drawn, ...plain.map(({ colours }) => colours.join(" "))],
    said: [...found.said, ...plain.map(({ said }) => said)],
  };
  const plainRight = plain.reduce((sum, one) => sum + rightOf(one), 0);
  if (plainRight < thresholds.plain) return { state: "blind", ...all };
  const weak = `it names the colour of ${plainRight} of 6 images of one colour, but hardly of stripes`;
  return { state: "unclear", ...all, note: note === undefined ? weak : `${note}; ${weak}` };
}

interface Asked {
  readonly colours: readonly ColourName[];
  readonly named: readonly string[];
  readonly said: string;
  readonly isAnswered: boolean;
}

const rightOf = ({ colours, named }: Pick<Asked, "colours" | "named">): number =>
  colours.filter((colour, at) => named[at] === colour).length;

/** What a model says to images and words, and the colours in it. A model without an answer names none. */
export async function asking(
  model: ChatModel,
  shown: readonly (Picture | string)[],
  { signal, trace }: CallOptions,
): Promise<Omit<Asked, "colours">> {
  const options = { ...(signal && { signal }), ...(trace && { trace }) };
  try {
    const request = { messages: [turn("user", ...shown)], temperature: 0 };
    const { text, finish } = await model.chat(request, options);
    if (finish === "refused")
      return { named: [], said: `(refused) ${excerpt(text)}`, isAnswered: false };
    return { named: coloursIn(text), said: excerpt(text), isAnswered: true };
  } catch (error) {
    if (!(error instanceof NoAnswer) || error.reason === "budget") throw error;
    const said = `(${error.reason}) ${excerpt(error.message)}`;
    return { named: [], said, isAnswered: false };
  }
}

/** The colours that an answer names, in order; of more than four the last four, after whatever was thought aloud. */
const coloursIn = (text: string): string[] =>
  [
    ...withoutThought(text)
      .toLowerCase()
      .matchAll(/\b(?:red|green|blue|yellow|black|white)\b/g),
  ]
    .map(([name]) => name)
    .slice(-4);

/** As many draws as are wanted, no two of them alike: the same question is not asked twice. */
function distinct(count: number, draw: () => ColourName[]): ColourName[][] {
  const drawn = new Map<string, ColourName[]>();
  while (drawn.size < count) {
    const colours = draw();
    drawn.set(colours.join(" "), colours);
  }
  return [...drawn.values()];
}

/** Colours of which no two neighbours are alike; each is any of the six with the same chance. */
function stripeColours(random: Random): ColourName[] {
  const colours: ColourName[] = [];
  while (colours.length < 4) {
    colours.push(random.pick(colourNames.filter((name) => name !== colours.at(-1))));
  }
  return colours;
}

/** Two colours of each of two images: the images differ in both. */
function pairColours(random: Random): ColourName[] {
  const [a, b] = random.shuffle(colourNames);
  const others = (one: readonly (ColourName | undefined)[]) =>
    random.pick(colourNames.filter((name) => !one.includes(name)));
  const c = others([a]);
  return [a, b, c, others([b, c])].flatMap((one) => one ?? []);
}

/** Names which of two images a model sees, where its answers are right for one alone or for the other's place. */
function pairNote(asked: readonly Asked[]): string | undefined {
  /** Share of the colours of one image, 0 or 1, that are said in the place of one. */
  const share = (image: number, place: number) =>
    asked.reduce((sum, { colours, named }) => {
      const said = named.slice(2 * place, 2 * place + 2);
      return sum + rightOf({ colours: colours.slice(2 * image, 2 * image + 2), named: said });
    }, 0) /
    (2 * asked.length);
  const most = 0.75;
  const few = 0.5;
  if (share(1, 0) >= most && share(0, 1) >= most) return "order swapped";
  if (share(0, 0) < few && Math.max(share(1, 0), share(1, 1)) >= most)
    return "keeps only the last image";
  if (share(1, 1) < few && Math.max(share(0, 0), share(0, 1)) >= most)
    return "keeps only the first image";
  return undefined;
}

async function plainAnswers(
  model: ChatModel,
  {
    random,
    shape,
    options,
  }: { readonly random: Random; readonly shape: Shape; readonly options: CallOptions },
): Promise<Asked[]> {
  return allEnded(
    random.shuffle(colourNames).map(async (colour) => ({
      colours: [colour],
      ...(await asking(
        model,
        [await plainColourImage(colour, shape), sightQuestions.plain],
        options,
      )),
    })),
  );
}

/** How well each text fits an image, higher for better. */
type Fit = (image: Picture, texts: readonly string[]) => Promise<readonly number[]>;

/** Of ten comparisons chance gets so many right 5 times in 100. */
const enough = 8;

/**
 * Checks the sight of a model without words by the order of its scores: each of two images of one colour must
 * fit "a red image", "a blue image" and so on best for its own colour. It is `blind` where the image changes
 * nothing, else at worst `unclear`.
 *
 * @returns `exempt` for a model that compares no images with texts.
 */
async function checkSightByOrder(
  model: Model,
  {
    seed,
    shape = { width: 512, height: 512, mediaType: "image/png" },
    signal,
    trace,
  }: CallOptions & { readonly seed: string | number; readonly shape?: Shape },
): Promise<Sight> {
  const likeness = fitOf(model, { ...(signal && { signal }), ...(trace && { trace }) });
  if (likeness === undefined) return notLooked("exempt");
  const random = randomFrom("sight", seed, modelName(model.identity));
  const drawn = random.shuffle(colourNames).slice(0, 2);
  const texts = colourNames.map((colour) => `a ${colour} image`);
  try {
    const fits = await allEnded(
      drawn.map(async (colour) => likeness(await plainColourImage(colour, shape), texts)),
    );
    const right = fits.reduce((sum, values, at) => {
      const own = values[colourNames.indexOf(drawn[at] ?? "red")] ?? 0;
      return sum + values.filter((value) => value < own).length;
    }, 0);
    const said = fits.map((values) =>
      values.map((value) => Number(value.toPrecision(3))).join(" "),
    );
    const isSame = fits[0]?.every((value, at) => value === fits[1]?.[at]) ?? false;
    const state = isSame ? "blind" : right >= enough ? "sees" : "unclear";
    return { state, right, of: 10, drawn, said };
  } catch (error) {
    if (!(error instanceof NoAnswer) || error.reason === "budget") throw error;
    return { state: "unclear", right: 0, of: 10, drawn, said: [], note: error.message };
  }
}

function fitOf(model: Model, options: CallOptions): Fit | undefined {
  if (keeps(model, "ImageEmbedder") && keeps(model, "TextEmbedder")) {
    return bySimilarity(model, options);
  }
  if (keeps(model, "RewardModel")) {
    return (image, texts) => allEnded(texts.map((text) => model.reward(image, text, options)));
  }
  if (keeps(model, "VisualQuestionAnswering")) {
    const question = (text: string) => `Does this figure show "${text}"? Please answer yes or no.`;
    return (image, texts) => model.probabilityOfYes(image, texts.map(question), options);
  }
  return undefined;
}

function bySimilarity(model: ImageEmbedder & TextEmbedder, options: CallOptions): Fit {
  const embedded = new Map<string, Promise<Float32Array>>();
  const embed = (text: string) => {
    const made = embedded.get(text) ?? model.embedText(text, options);
    embedded.set(text, made);
    return made;
  };
  return async (image, texts) => {
    const [seen = new Float32Array(), ...read] = await allEnded([
      model.embedImage(image, options),
      ...texts.map(embed),
    ]);
    return read.map((text) => dot(seen, text) / Math.sqrt(dot(text, text)));
  };
}

const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
