import { z } from "zod";
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

/** Words to a chat model that writes triplets, as `data/prototypicality/writer.yaml` has them. */
export type WriterWording = z.output<typeof writerSchema>;

export const loadWriterWording = (): WriterWording =>
  loadData("prototypicality/writer.yaml", writerSchema);

/** The system message for triplets of a domain. */
export function writerInstruction(
  wording: WriterWording,
  { domain, attribute }: Pick<TripletRequest, "domain" | "attribute">,
  mostWords: number,
): string {
  const general = attribute === undefined ? wording.things : wording.people;
  const { about, rules } = wording.domains[domain] ?? general;
  const list = [...wording.rules, ...rules].map(
    (rule) => `- ${rule.replace("{words}", String(mostWords))}`,
  );
  return [wording.system, about, list.join("\n"), wording.answer].join("\n\n");
}
