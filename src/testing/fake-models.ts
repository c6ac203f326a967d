import type {
  ChatModel,
  ChatReply,
  ChatRequest,
  Decomposer,
  DescribedEntity,
  DualEncoder,
  ImageGenerator,
  Localizer,
  ModelIdentity,
  Picture,
  RewardModel,
  VisualQuestionAnswering,
} from "../core/models.js";
import { randomFrom } from "../core/random.js";
import { encodePng, pictureOfPixels } from "../images/pixels-picture.js";

const identity = (model: string): ModelIdentity => ({ provider: "test", model });

/** A picture of one colour, decoded already. */
export function fakePicture({
  width = 8,
  height = 8,
  colour = [192, 48, 32],
}: {
  /** Pixels. */
  readonly width?: number;
  /** Pixels. */
  readonly height?: number;
  /** Red, green and blue, each 0 to 255. */
  readonly colour?: readonly [number, number, number];
} = {}): Picture {
  return pictureOfPixels({ width, height, data: plain(width, height, colour) });
}

const plain = (width: number, height: number, colour: readonly number[]) =>
  Uint8Array.from({ length: width * height * 3 }, (_, at) => colour[at % 3] ?? 0);

/** A generator of 8 x 8 pictures of one colour, another for each prompt and seed. */
export function fakeGenerator(): ImageGenerator {
  return {
    identity: identity("generator"),
    async generate({ prompt, seed }, options) {
      options?.signal?.throwIfAborted();
      const random = randomFrom(seed, prompt);
      const colour = [random.integer(256), random.integer(256), random.integer(256)];
      return { bytes: encodePng({ width: 8, height: 8, data: plain(8, 8, colour) }) };
    },
  };
}

/** An encoder whose vectors are drawn from what they stand for: equal inputs have equal vectors. */
export function fakeEncoder({
  dimensions = 8,
}: {
  readonly dimensions?: number;
} = {}): DualEncoder {
  const vector = (of: string) => {
    const random = randomFrom(of);
    return Float32Array.from({ length: dimensions }, () => random.between(-1, 1));
  };
  return {
    identity: identity("encoder"),
    embedImage: async (image) => vector(image.hash),
    embedText: async (text) => vector(text),
  };
}

/** A question answerer that gives what `answer` says, in [0, 1]. */
export function fakeAnswerer(
  answer: (question: string, image: Picture) => number = () => 0.5,
): VisualQuestionAnswering {
  return {
    identity: identity("answerer"),
    async probabilityOfYes(image, questions, options) {
      options?.signal?.throwIfAborted();
      return questions.map((question) => answer(question, image));
    },
  };
}

/** A reward model that gives what `reward` says. */
export function fakeRewardModel(
  reward: (text: string, image: Picture) => number = () => 0,
): RewardModel {
  return { identity: identity("reward"), reward: async (image, text) => reward(text, image) };
}

/** A localizer that finds each of `entities`, or anything where none are given, in the whole image. */
export function fakeLocalizer({
  entities,
}: {
  readonly entities?: readonly string[];
} = {}): Localizer {
  return {
    identity: identity("localizer"),
    async localize({ width, height }, entity) {
      if (entities !== undefined && !entities.includes(entity)) return undefined;
      return { width, height, data: new Uint8Array(width * height).fill(1) };
    },
  };
}

/** A decomposer that gives the entities listed for a text, and none for another. */
export function fakeDecomposer(
  entities: Readonly<Record<string, readonly DescribedEntity[]>> = {},
): Decomposer {
  return {
    identity: identity("decomposer"),
    decompose: async (text) => (Object.hasOwn(entities, text) ? (entities[text] ?? []) : []),
  };
}

/** A chat model that gives the replies of a list, one after another, and keeps what it was asked. */
export function scriptedChat(...replies: readonly (Partial<ChatReply> | string)[]) {
  const asked: ChatRequest[] = [];
  const trials: (number | undefined)[] = [];
  const model: ChatModel = {
    identity: { provider: "test", model: "parrot" },
    async chat(request, options) {
      options?.signal?.throwIfAborted();
      const reply = replies[asked.length];
      asked.push(request);
      trials.push(options?.trial);
      if (reply === undefined) throw new Error("Asked more often than the script foresees");
      const said = typeof reply === "string" ? { text: reply } : reply;
      return { text: "", finish: "stop", ...said };
    },
  };
  return { model, asked, trials };
}

/** Makes a reply: for each of its tokens the alternatives with their probabilities, the one that it says first. */
export function withTokens(...tokens: readonly Readonly<Record<string, number>>[]): ChatReply {
  const choices = tokens.map((alternatives) =>
    Object.entries(alternatives).map(([token, probability]) => ({
      token,
      logProbability: Math.log(probability),
    })),
  );
  return {
    text: choices.map(([first]) => first?.token).join(""),
    finish: "stop",
    tokens: choices.map((alternatives) => ({
      ...(alternatives[0] ?? { token: "", logProbability: 0 }),
      alternatives,
    })),
  };
}
