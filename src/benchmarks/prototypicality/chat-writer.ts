import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { keyOf } from "../../core/keys.js";
import { type ChatModel, placedName, turn } from "../../core/models.js";
import { withArticles } from "../../core/phrases.js";
import { linedYaml } from "../../files/yaml.js";
import { taskText } from "../../judges/rubric-message.js";
import { jsonAnswer } from "../../models/chat/json-answer.js";
import { loadData } from "../load-data.js";
import { readKnob, renamedSubject } from "./rules.js";
import { capitalised, knobStatement, loadTemplates, type Templates } from "./templates.js";
import type { RefusedTriplet, Triplet, TripletRequest, TripletWriter } from "./triplet.js";

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

const sentence = z.string().trim().min(1);

/** Words to a chat model about one domain. */
export const domainWording = z.strictObject({ about: sentence, rules: z.array(sentence).min(1) });

const writerSchema = z.strictObject({
  system: sentence,
  rules: z.array(sentence).min(1),
  domains: z.record(z.string(), domainWording),
  things: domainWording,
  people: domainWording,
  answer: sentence,
  again: sentence,
});

/** A prompt for each domain, in which the task stands at places in braces, as the paper's Tables 3 to 5. */
const filledSchema = z.strictObject({
  /** The origin of the words, such as a paper's table. */
  source: sentence.optional(),
  prompts: z.record(z.string(), sentence),
  again: sentence,
});

/**
 * Words to a chat model that writes triplets: as `data/prototypicality/writer.yaml` has them, or a prompt for
 * each domain as `data/papers/protobias-tables-3-to-5.yaml`.
 */
export type WriterWording = ListedWording | FilledWording;

/** Words of one's own as a recipe holds them. */
export const writerWordingSchema = z.union([writerSchema, filledSchema.omit({ source: true })]);

/** Words to a writer of any domain. */
export type ListedWording = z.output<typeof writerSchema>;
type FilledWording = Omit<z.output<typeof filledSchema>, "source">;

/**
 * Reads words to a writer from a file of one's own, of either form.
 *
 * @throws InputError that lists every problem with its line.
 */
export function readWriterWording(file: string, text: string): WriterWording {
  if (!/^prompts:/m.test(text)) return linedYaml(file, text, writerSchema).value;
  return withoutSource(linedYaml(file, text, filledSchema).value);
}

export const paperWriterWording = (): WriterWording =>
  withoutSource(loadData("papers/protobias-tables-3-to-5.yaml", filledSchema));

const withoutSource = ({ prompts, again }: FilledWording): FilledWording => ({ prompts, again });

export const loadWriterWording = (): ListedWording =>
  loadData("prototypicality/writer.yaml", writerSchema);

/**
 * The message for triplets of a domain.
 *
 * @throws InputError where the words have no prompt for the domain
 */
function writerInstruction(
  wording: WriterWording,
  request: TripletRequest,
  { mostWords, right, wrong }: { mostWords: number; right: string; wrong: string },
): string {
  const { domain, attribute } = request;
  if ("prompts" in wording) {
    const prompt = wording.prompts[domain];
    if (prompt !== undefined) return filledPrompt(prompt, request, { right, wrong });
    throw new InputError(
      `Expected a prompt for ${domain} among the writer's words but there are those of ${Object.keys(wording.prompts).join(", ")}`,
    );
  }
  const general = attribute === undefined ? wording.things : wording.people;
  const { about, rules } = wording.domains[domain] ?? general;
  const list = [...wording.rules, ...rules].map(
    (rule) => `- ${rule.replace("{words}", String(mostWords))}`,
  );
  return [wording.system, about, list.join("\n"), wording.answer].join("\n\n");
}

/** A prompt with the task in its places, by the names that ProtoBias' Tables 3 to 5 have for them. */
function filledPrompt(
  prompt: string,
  request: TripletRequest,
  { right, wrong }: { readonly right: string; readonly wrong: string },
): string {
  const { attribute, environment, knobDescription } = request;
  const values: Readonly<Record<string, string | undefined>> = {
    hypernym: request.hypernym.name,
    non_proto: request.nonPrototype.name,
    proto: request.prototype.name,
    subcategory: request.category,
    knob: request.knob,
    knob_description: `${knobDescription}: TEXT and CORRECT say "${right}", ADVERSARIAL says "${wrong}"`,
    extra_object: request.extra,
    extra_element: request.extra,
    env_hint: environment,
    environment_hint: environment,
    group_category: request.category,
    socio_attr: attribute?.name,
    pole: attribute?.pole,
    attr_token: attribute?.word,
    disadvantaged: attribute?.disadvantaged.name,
    advantaged: attribute?.advantaged.name,
    disadv_desc: attribute?.disadvantaged.phrase,
    adv_desc: attribute?.advantaged.phrase,
  };
  return prompt.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
