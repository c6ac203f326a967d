import { z } from "zod";
import { keyOf } from "../../core/keys.js";
import { type ChatModel, placedName, turn } from "../../core/models.js";
import { withArticles } from "../../core/phrases.js";
import { taskText } from "../../judges/rubric-message.js";
import { jsonAnswer } from "../../models/chat/json-answer.js";
import { readKnob, renamedSubject } from "./rules.js";
import { capitalised, knobStatement, loadTemplates, type Templates } from "./templates.js";
import type { RefusedTriplet, Triplet, TripletRequest, TripletWriter } from "./triplet.js";
import { loadWriterWording, type WriterWording, writerInstruction } from "./writer-wording.js";

const answerSchema = z.object({
  text: z.string().min(1),
  correct: z.string().min(1),
  adversarial: z.string().min(1),
});

/** The first asking is for the likeliest answer; after a refusal another one is wanted. */
const temperatures = { first: 0, again: 0.7 };

/**
 * A writer of triplets that asks a chat model (ProtoBias, section 4.1 and tables 3 to 5): the model
 * writes `text`, `correct` and `adversarial`; the two sentences of the control are the same with the
 * members exchanged. Sentences that broke a rule are shown to it with what they broke.
 *
 * @throws NoAnswer, on writing, where the model gives none or no JSON of this form.
 * @example buildPrompts({ seed: 0, size: { total: 30 }, writer: chatWriter({ model }) })
 */
export function chatWriter({
  model,
  templates = loadTemplates(),
  wording = loadWriterWording(),
  isOwnWording = false,
}: {
  readonly model: ChatModel;
  readonly templates?: Templates;
  readonly wording?: WriterWording;
  /** The words are not the package's: the recipe holds them. */
  readonly isOwnWording?: boolean;
}): TripletWriter {
  const { mostWords } = templates;
  const revision = keyOf({ wording, mostWords, temperatures }).slice(0, 12);
  return {
    name: `${placedName(model.identity)}, wording ${revision}`,
    model,
    ...(isOwnWording ? { instructions: { ...wording } } : {}),
    async write(request, attempt, { refused = [], ...options } = {}) {
      const task = taskOf(request, templates);
      const instruction = writerInstruction(wording, request, { mostWords, ...task });
      const messages = [
        ...("prompts" in wording
          ? [turn("user", instruction)]
          : [turn("system", instruction), turn("user", taskText(task))]),
        ...refused.flatMap(({ triplet: { text, correct, adversarial }, broken }) => [
          turn("assistant", JSON.stringify({ text, correct, adversarial })),
          turn("user", `${wording.again}\n\n${taskText({ problems: problemsOf(broken) })}`),
        ]),
      ];
      const temperature = attempt === 1 ? temperatures.first : temperatures.again;
      const answer = await jsonAnswer(
        { model, name: "triplet", schema: answerSchema, request: { messages, temperature } },
        options,
      );
      return withControls(answer, request, templates);
    },
  };
}

/** All that the model is told of one triplet. */
const taskOf = (request: TripletRequest, templates: Templates) => ({
  hypernym: request.hypernym.phrase,
  correctMember: request.nonPrototype.phrase,
  adversarialMember: request.prototype.phrase,
  extra: request.extra,
  environment: request.environment,
  errorType: request.knob,
  errorDescription: request.knobDescription,
  right: knobStatement(request, request.right, templates),
  wrong: knobStatement(request, request.wrong, templates),
});

/** The controls are made from what the model wrote, so what they break is told of that already. */
const problemsOf = (broken: RefusedTriplet["broken"]): string[] => {
  const written = broken.filter(({ rule }) => !rule.startsWith("control-"));
  return (written.length > 0 ? written : broken).map(({ rule, message }) => `${rule}: ${message}`);
};

/** Adds the sentences with the members exchanged: where the knob can't be read, no rule is kept anyway. */
function withControls(
  answer: z.output<typeof answerSchema>,
  request: TripletRequest,
  templates: Templates,
): Triplet {
  const text = tidy(answer.text);
  const correct = tidy(answer.correct);
  const adversarial = tidy(answer.adversarial);
  const [right] = readKnob(correct, request, templates);
  const [wrong] = readKnob(adversarial, request, templates);
  return {
    text,
    correct,
    adversarial,
    controlCorrect: renamedSubject(text, request.hypernym, request.prototype),
    controlAdversarial:
      right === undefined || wrong === undefined
        ? adversarial
        : withArticles(`${right.before}${wrong.stated}${right.after}`),
  };
}

const tidy = (sentence: string): string => capitalised(sentence.trim().replaceAll(/\s+/g, " "));
