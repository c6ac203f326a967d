import sharp from "sharp";
import type { Metric } from "../../src/core/metric.js";
import type { ChatModel } from "../../src/core/models.js";
import { openPicture } from "../../src/images/picture.js";
import { composePrompts } from "../../src/judges/compose-prompts.js";
import { judgeRating, judgeYesNo } from "../../src/judges/judge-images-step.js";
import { judgePair } from "../../src/judges/pairwise-judge.js";
import { loadPromptPool, type PromptKind } from "../../src/judges/read-prompt-pool.js";
import { refinePrompt } from "../../src/judges/refine-prompt.js";
import { askRubric } from "../../src/judges/rubric-judge.js";
import { blipVqa } from "../../src/metrics/blip-vqa.js";
import { mllmRating, promptRating } from "../../src/metrics/chat-rating.js";
import { localizedVqaScore } from "../../src/metrics/localized-vqa-score.js";
import { scorePicture } from "../../src/metrics/score-picture.js";
import { vqaRating, vqaScore } from "../../src/metrics/vqa-score.js";
import { answersQuestions, type YesNoWay } from "../../src/models/chat/answers-questions.js";
import { chatDecomposer } from "../../src/models/decomposer/chat-decomposer.js";
import { a1111 } from "../../src/models/image-services/a1111.js";
import { bfl } from "../../src/models/image-services/bfl.js";
import { chatImages } from "../../src/models/image-services/chat-images.js";
import { fal } from "../../src/models/image-services/fal.js";
import { geminiImages } from "../../src/models/image-services/gemini-images.js";
import { replicate } from "../../src/models/image-services/replicate.js";
import { stability } from "../../src/models/image-services/stability.js";
import { openAiCompatible } from "../../src/models/openai-compatible/openai-compatible.js";
import { openAiImages } from "../../src/models/openai-images/openai-images.js";
import { nativeChats } from "../support/chat-replies.js";
import { madeImage, madeImageUrl } from "../support/generator-behind.js";
import { handClock } from "../support/hand-clock.js";
import { completion } from "../support/misbehaving-server.js";

type Fetch = typeof globalThis.fetch;

/** Whoever makes an answer of replies: a metric, a judge, a filter, a refiner, a generator. */
export interface Reader {
  readonly name: string;
  /** What a sound provider replies to a call. */
  good(url: string): object;
  /** Asks by this way to the provider. */
  read(fetch: Fetch): Promise<unknown>;
}

const create = { width: 8, height: 8, channels: 3, background: "#c03020" } as const;
const image = await openPicture(await sharp({ create }).png().toBuffer());
const other = await openPicture(
  await sharp({ create: { ...create, background: "#2030c0" } })
    .png()
    .toBuffer(),
);
const text = "a red hat and a blue coat";
const structure = [
  { entity: "hat", attributes: ["red"] },
  { entity: "coat", attributes: ["blue"] },
];
const baseUrl = "https://provider.test/v1";

const reached = (fetch: Fetch) => ({ baseUrl, fetch, clock: handClock(), attempts: 2 });
const chatOver = (fetch: Fetch): ChatModel => openAiCompatible("tiny", reached(fetch));

/** The value of a score; what has none is thrown, as everywhere else. */
async function scored(metric: Metric, given?: typeof structure): Promise<unknown> {
  return (await metric.score({ image, text, ...(given && { structure: given }) })).value;
}

/** All that a score says, from the way that commands take: nothing is thrown but faults. */
export const scoredByCommand = (fetch: Fetch) =>
  scorePicture(mllmRating({ model: chatOver(fetch) }), image, text);

const chats = (
  name: string,
  reply: Parameters<typeof completion>[0],
  read: (model: ChatModel) => Promise<unknown>,
): Reader => ({
  name,
  good: () => completion(reply),
  read: (fetch) => read(chatOver(fetch)),
});

const says = (answer: object) => ({ text: JSON.stringify(answer) });
const yes = { text: "Yes", probabilities: { Yes: 0.75, No: 0.2, Maybe: 0.05 } };
const answering = (model: ChatModel, way?: YesNoWay) => answersQuestions(model, { way });
const sampledTwice = { kind: "samples", count: 2 } as const;
const certain = answersQuestions({
  identity: { provider: "test", model: "certain" },
  chat: async () => ({
    text: "Yes",
    finish: "stop",
    tokens: [
      {
        token: "Yes",
        logProbability: Math.log(0.5),
        alternatives: ["Yes", "No"].map((token) => ({ token, logProbability: Math.log(0.5) })),
      },
    ],
  }),
});

const promptOf = (kind: PromptKind) => {
  const [prompt] = composePrompts(loadPromptPool(kind).pool);
  if (prompt === undefined) throw new Error(`There is no prompt of ${kind}`);
  return prompt;
};
const [pairwise, yesNo, ordinal] = (["pairwise", "yes-no", "ordinal"] as const).map(promptOf);
if (!(pairwise && yesNo && ordinal)) throw new Error("A pool has no prompt");
const [one = "", two = ""] = pairwise.answers;
const ratings = ordinal.answers.map((answer, at) => [answer, [0.1, 0.1, 0.1, 0.6, 0.1][at] ?? 0]);
const rated = { text: ordinal.answers[3] ?? "", probabilities: Object.fromEntries(ratings) };
const chosen = { text: one, probabilities: { [one]: 0.7, [two]: 0.3 } };

const rubric = {
  query: "a photo of a nurse",
  category: "occupational",
  images: 1,
  items: ["gender", "age"].map((item) => ({
    item,
    asks: `${item}?`,
    definition: "d",
    present: "p",
    absent: "a",
  })),
};
const rubricAnswers = {
  items: [
    { item: "gender", present: 1, reason: "all alike", images: [1] },
    { item: "age", present: 0, reason: "of all ages", images: [] },
  ],
};
const refineTask = {
  query: "a photo of a nurse",
  category: "occupational",
  mode: "verbatim" as const,
  stereotypes: [{ item: "gender", asks: "gender?", explanation: "all alike" }],
  words: 30,
  images: 0,
};
const rewritten = "a photo of a nurse of any gender";

/** What a provider's way of replying makes of an image; the bytes are compared. */
const paints = (name: string, good: Reader["good"], read: Reader["read"]): Reader => ({
  name,
  good,
  read,
});
const asked = { prompt: "a red wall", seed: 5 };
const bytesOf = async ({ bytes }: { readonly bytes: Uint8Array }) =>
  Buffer.from(bytes).toString("base64");
const b64 = Buffer.from(madeImage).toString("base64");

/** One for every way in which an answer is made of replies. */
export const readers: readonly Reader[] = [
  chats("vqa-score", yes, (model) => scored(vqaScore({ model: answering(model) }))),
  chats("vqa-score of samples", { text: "Yes" }, (model) =>
    scored(vqaScore({ model: answering(model, { kind: "samples", count: 2 }) })),
  ),
  chats("vqa-score as stated", says({ probability: 0.7 }), (model) =>
    scored(vqaScore({ model: answering(model, { kind: "verbalized" }) })),
  ),
  chats("vqa-rating, by which images are filtered", yes, (model) =>
    scored(vqaRating({ model: answering(model) })),
  ),
  chats("prompt-rating, by which images are filtered", says({ rating: 5 }), (model) =>
    scored(promptRating({ model })),
  ),
  chats(
    "prompt-rating expected",
    { text: "8", probabilities: { "8": 0.6, "9": 0.2, "7": 0.1, "6": 0.1 } },
    (model) => scored(promptRating({ model, convention: "expected" })),
  ),
  chats("blip-vqa of attributes", yes, (model) =>
    scored(blipVqa({ model: answering(model) }), structure),
  ),
  chats("blip-vqa of noun phrases", yes, (model) =>
    scored(blipVqa({ model: answering(model), convention: "noun-phrases" })),
  ),
  chats("blip-vqa with a decomposer that replies", says({ entities: structure }), (model) =>
    scored(blipVqa({ model: certain, decomposer: chatDecomposer({ model }) })),
  ),
  chats("localized-vqa-score", yes, (model) =>
    scored(localizedVqaScore({ model: answering(model), strategy: "none" }), structure),
  ),
  chats("localized-vqa-score with a decomposer", says({ entities: structure }), (model) =>
    scored(
      localizedVqaScore({
        model: certain,
        strategy: "none",
        decomposer: chatDecomposer({ model }),
      }),
    ),
  ),
  chats("mllm-rating", says({ rating: 3 }), (model) => scored(mllmRating({ model }))),
  chats(
    "mllm-rating expected",
    { text: "3", probabilities: { "3": 0.6, "4": 0.2, "2": 0.1, "1": 0.1 } },
    (model) => scored(mllmRating({ model, convention: "expected" })),
  ),
  ...(["tokens", "samples"] as const).flatMap((way) => [
    chats(`judge of pairs by ${way}`, chosen, async (model) => {
      const judgment = await judgePair({
        model,
        way,
        prompt: pairwise,
        caption: text,
        a: image,
        b: other,
      });
      return judgment.probabilities;
    }),
    chats(
      `judge of yes and no by ${way}`,
      { text: yesNo.answers[0] ?? "", probabilities: Object.fromEntries(yesNoShares()) },
      async (model) =>
        (await judgeYesNo({ model, way, prompt: yesNo, question: "A hat?", image })).probability,
    ),
    chats(`judge of ratings by ${way}`, rated, async (model) => {
      const judgment = await judgeRating({ model, way, prompt: ordinal, caption: text, image });
      return judgment.probabilities;
    }),
  ]),
  chats("judge by a rubric", says(rubricAnswers), async (model) => {
    const answers = await askRubric({
      model,
      task: rubric,
      pictures: [image],
      wording: { system: "Judge.", answer: "Answer.", again: "Again." },
    });
    // Items stand by themselves: one that is unscored says nothing about another.
    return answers.map(({ item, ...answer }, at) => {
      const said = rubricAnswers.items[at]?.present;
      return { item, present: answer.status === "answered" ? answer.present : said };
    });
  }),
  chats("refiner", says({ prompt: rewritten }), async (model) => {
    const { prompt } = await refinePrompt({
      model,
      task: refineTask,
      pictures: [],
      askings: 1,
      wording: { system: "s", verbatim: "v", meaning: "m", answer: "a", again: "again" },
      rules: { words: 30, collage: ["collage"], small: ["a"], stereotypes: ["exotic"] },
    });
    return prompt;
  }),
  chats("decomposer", says({ entities: structure }), (model) =>
    chatDecomposer({ model }).decompose(text),
  ),
  ...nativeChats.map(
    ({ name, make, replies }): Reader => ({
      name: `${name}, P(yes) of samples`,
      good: () => replies.says("Yes"),
      read: (fetch) =>
        scored(vqaScore({ model: answering(make("tiny", reached(fetch)), sampledTwice) })),
    }),
  ),
  paints(
    "openai-images",
    () => ({ created: 1, data: [{ b64_json: b64, revised_prompt: "a red wall, in the sun" }] }),
    async (fetch) => bytesOf(await openAiImages("painter", reached(fetch)).generate(asked)),
  ),
  paints(
    "replicate",
    () => ({ id: "abc", status: "succeeded", output: [madeImageUrl], error: null }),
    async (fetch) => bytesOf(await replicate("owner/name", reached(fetch)).generate(asked)),
  ),
  paints(
    "fal",
    (url) =>
      url.endsWith("/status")
        ? { status: "COMPLETED" }
        : url.endsWith("/response")
          ? { images: [{ url: madeImageUrl }], prompt: "a red wall" }
          : {
              request_id: "abc",
              status_url: `${baseUrl}/abc/status`,
              response_url: `${baseUrl}/abc/response`,
            },
    async (fetch) => bytesOf(await fal("fal-ai/tiny", reached(fetch)).generate(asked)),
  ),
  paints(
    "a1111",
    () => ({ images: [b64], parameters: {}, info: JSON.stringify({ seed: 5, steps: 20 }) }),
    async (fetch) => bytesOf(await a1111("loaded", reached(fetch)).generate(asked)),
  ),
  paints(
    "bfl",
    (url) =>
      url.includes("get_result")
        ? { id: "abc", status: "Ready", result: { sample: madeImageUrl, seed: 5 } }
        : { id: "abc", polling_url: `${baseUrl}/get_result?id=abc` },
    async (fetch) => bytesOf(await bfl("flux-tiny", reached(fetch)).generate(asked)),
  ),
  paints(
    "chat-images",
    () => ({
      choices: [
        {
          message: { content: null, images: [{ image_url: { url: madeImageUrl } }] },
          finish_reason: "stop",
        },
      ],
    }),
    async (fetch) => bytesOf(await chatImages("tiny", reached(fetch)).generate(asked)),
  ),
  paints(
    "gemini-images",
    () => ({
      candidates: [
        {
          content: { parts: [{ inlineData: { mimeType: "image/png", data: b64 } }] },
          finishReason: "STOP",
        },
      ],
    }),
    async (fetch) => bytesOf(await geminiImages("tiny", reached(fetch)).generate(asked)),
  ),
  paints(
    "stability",
    () => ({ image: b64, finish_reason: "SUCCESS", seed: 5 }),
    async (fetch) => bytesOf(await stability("core", reached(fetch)).generate(asked)),
  ),
];

function yesNoShares(): [string, number][] {
  const { answers } = promptOf("yes-no");
  return answers.map((answer, at) => [answer, at === 0 ? 0.75 : 0.25]);
}
