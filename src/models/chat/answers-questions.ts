import { z } from "zod";
import { allEnded } from "../../core/all-ended.js";
import {
  type CallOptions,
  type ChatModel,
  type ChatRequest,
  type ModelIdentity,
  modelName,
  type Picture,
  turn,
  type VisualQuestionAnswering,
} from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { answerOf } from "./answer-of.js";
import { answerShares } from "./answer-shares.js";
import { leastMass, saidAnswer } from "./answer-token.js";
import { chatPrompts, jsonAnswer } from "./json-answer.js";

/**
 * A chat model that also answers questions about images with P(yes), one call for each question.
 *
 * @param way where P(yes) comes from: log-probabilities where not given. Any other way is named in
 *   the identity's revision (`samples-5`, `verbalized`), since its numbers are of another kind.
 * @param templates the wording that the model needs around a text, by metric
 */
export function answersQuestions<Chat extends ChatModel>(
  model: Chat,
  {
    way = { kind: "tokens" },
    templates = model.templates,
  }: {
    readonly way?: YesNoWay | undefined;
    readonly templates?: Readonly<Record<string, string>> | undefined;
  } = {},
): ChatModel & VisualQuestionAnswering {
  const instruction =
    chatPrompts()[way.kind === "verbalized" ? "verbalizedProbability" : "yesOrNo"];
  return {
    identity: identityWith(model.identity, way),
    ...(templates === undefined ? {} : { templates }),
    chat: (request, options) => model.chat(request, options),
    async probabilityOfYes(image: Picture, questions: readonly string[], options?: CallOptions) {
      const answers = questions.map(async (question) => {
        const request = {
          messages: [turn("system", instruction), turn("user", image, question)],
        };
        const answer = await yesNo({ model, request, way }, options);
        options?.trace?.({ kind: "yes-no", question, ...answer });
        return answer.probability;
      });
      return allEnded(answers);
    },
  };
}

function identityWith(identity: ModelIdentity, way: YesNoWay): ModelIdentity {
  if (way.kind === "tokens") return identity;
  const { temperature = 1, count } = way.kind === "samples" ? way : { count: 0 };
  const name =
    way.kind === "verbalized"
      ? "verbalized"
      : `samples-${count}${temperature === 1 ? "" : `-at-${temperature}`}`;
  const { revision } = identity;
  return { ...identity, revision: revision === undefined ? name : `${revision}+${name}` };
}

/**
 * Where the probability of yes comes from: the log-probabilities of the answer's token; the share
 * of yes among sampled answers; or a number that the model states. Only the first is the model's
 * own probability, so the others are used only where they are asked for.
 */
export type YesNoWay =
  | { readonly kind: "tokens" }
  | { readonly kind: "samples"; readonly count: number; readonly temperature?: number }
  | { readonly kind: "verbalized" };

interface YesNoAnswer {
  /** P(yes) = yes / (yes + no), in [0, 1]; an unlisted one counts with the most that it can have had. */
  readonly probability: number;
  /** The mass of all spellings of yes, of no, and what is left; they sum to 1. */
  readonly yes: number;
  readonly no: number;
  readonly remaining: number;
  /** Which of them the model did not list. */
  readonly unlisted?: readonly ("yes" | "no")[];
  readonly way: YesNoWay["kind"];
}

const spellings = { yes: ["yes"], no: ["no"] } as const;

/**
 * The probability with which a chat model answers yes to a question of yes or no.
 *
 * @param request the question; for "verbalized" it must say how the probability is to be stated
 * @param way where the probability comes from; token probabilities where not given
 * @throws NoAnswer where there is no probability; "not-applicable" where the model gives no
 *   log-probabilities and nothing else was asked for.
 */
export async function yesNo(
  {
    model,
    request,
    way = { kind: "tokens" },
  }: { readonly model: ChatModel; readonly request: ChatRequest; readonly way?: YesNoWay },
  options: CallOptions = {},
): Promise<YesNoAnswer> {
  if (way.kind === "samples") return sampled({ model, request, way }, options);
  if (way.kind === "verbalized") return verbalized({ model, request }, options);
  const { mass, shares, remaining, unlisted } = await answerShares(
    { model, request, spellings, otherWays: "sampled answers or a verbalized probability" },
    options,
  );
  return {
    probability: shares.yes,
    yes: mass.yes,
    no: mass.no,
    remaining,
    ...(unlisted.length === 0 ? {} : { unlisted }),
    way: "tokens",
  };
}

async function sampled(
  {
    model,
    request,
    way: { count, temperature = 1 },
  }: {
    readonly model: ChatModel;
    readonly request: ChatRequest;
    readonly way: Extract<YesNoWay, { kind: "samples" }>;
  },
  options: CallOptions,
): Promise<YesNoAnswer> {
  if (!Number.isInteger(count) || count < 1) {
    throw new RangeError(`Expected a positive number of samples but received ${count}`);
  }
  const { trial = 0 } = options;
  const words = await allEnded(
    Array.from({ length: count }, async (_, index) => {
      // Each sample is an asking of its own: of another seed, and answered apart by a cache.
      const number = trial * count + index;
      const sample = { ...request, temperature, seed: (request.seed ?? 0) + number };
      const reply = await answerOf(model, sample, { ...options, trial: number });
      return saidAnswer(reply, spellings);
    }),
  );
  const share = (word: "yes" | "no") => words.filter((said) => said === word).length / count;
  const [yes, no] = [share("yes"), share("no")];
  if (yes + no < leastMass) {
    throw new NoAnswer(
      "unparsable",
      `Of ${count} answers of ${modelName(model.identity)} only ${Math.round((yes + no) * count)} are ` +
        "yes or no and nothing else",
    );
  }
  return answer(yes, no, 1 - yes - no, "samples");
}

async function verbalized(
  { model, request }: { readonly model: ChatModel; readonly request: ChatRequest },
  options: CallOptions,
): Promise<YesNoAnswer> {
  const schema = z.strictObject({ probability: z.number().min(0).max(1) });
  const { probability } = await jsonAnswer(
    { model, request: { temperature: 0, ...request }, name: "probability_of_yes", schema },
    options,
  );
  return answer(probability, 1 - probability, 0, "verbalized");
}

const answer = (
  yes: number,
  no: number,
  remaining: number,
  way: YesNoWay["kind"],
): YesNoAnswer => ({
  probability: yes / (yes + no),
  yes,
  no,
  remaining: Math.max(0, remaining),
  way,
});
