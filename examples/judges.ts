// A judge is any chat model with a prompt of a pool.

import { type ChatModel, openPicture } from "touchstone-t2i";
import {
  askRubric,
  calibrateJudge,
  composePrompts,
  judgeImages,
  judgePair,
  judgePairs,
  judgeRating,
  judgeYesNo,
  lintPromptPool,
  loadPromptPool,
  openedJudge,
  preferenceForA,
  readPromptPool,
  refinePrompt,
  samplePrompts,
  sealedJudge,
} from "touchstone-t2i/judges";
import { labModel, labPainter } from "touchstone-t2i-lab";

const caption = "A dog is in a meadow.";
const painted = async (seed: number) =>
  openPicture((await labPainter().generate({ prompt: caption, seed })).bytes);
const [a, b] = await Promise.all([painted(1), painted(2)]);
const { pool } = loadPromptPool("pairwise");
const [prompt] = samplePrompts({ prompts: composePrompts(pool), count: 1, seed: 0 });
if (prompt === undefined) throw new Error("The pool is empty");
const { probabilities } = await judgePair({ model: labModel("judge"), prompt, caption, a, b });
console.log(preferenceForA(probabilities)); // P(a is better), in [0, 1]

// A pool of one's own, and what is wrong with it:
export const problems = (yaml: string) => lintPromptPool(readPromptPool("own.yaml", yaml));

// Weights of two prompts from labels, and a threshold that keeps a promise:
const labels = Array.from({ length: 200 }, (_, at) => at % 2);
const judged = calibrateJudge(
  labels.map((_, at) => ({ group: String(at), isReviewed: false })),
  { labels, answers: Float64Array.from(labels.flatMap((l) => [0.1 + 0.8 * l, 0.5])), prompts: 2 },
  {
    objective: "auto",
    clusters: 1,
    seed: 0,
    target: 0.1,
    confidence: 0.95,
    certification: "split",
  },
);
console.log(judged.fit.weights, judged.certificate);
// Its file, which opens only unchanged:
export const copyOf = (file: string) => sealedJudge(openedJudge(file, "judge.json"));

// One image: by a scale, by yes or no, by a rubric; and a prompt that is refined by what was found.
const [scale, yesNo] = (["ordinal", "yes-no"] as const).map(
  (name) => composePrompts(loadPromptPool(name).pool)[0] ?? prompt,
);
export const asked = async (model: ChatModel, question: string) => [
  scale && (await judgeRating({ model, prompt: scale, caption, image: a })),
  yesNo && (await judgeYesNo({ model, prompt: yesNo, question, image: a })),
];
export const audited = (options: Parameters<typeof askRubric>[0]) => askRubric(options);
export const refined = (options: Parameters<typeof refinePrompt>[0]) => refinePrompt(options);
export const stepsOf = (
  pairs: Parameters<typeof judgePairs>[0],
  images: Parameters<typeof judgeImages>[0],
) => [judgePairs(pairs), judgeImages(images)];
