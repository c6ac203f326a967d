import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { linedYaml } from "../../files/yaml.js";
import { loadData } from "../load-data.js";
import type { TripletRequest } from "./triplet.js";

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
export function writerInstruction(
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
