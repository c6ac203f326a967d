import { z } from "zod";
import { linedYaml } from "../../files/yaml.js";
import type { RubricWording } from "../../judges/rubric-message.js";
import { type DataSource, packaged } from "./packaged.js";

const sentence = z.string().trim().min(1);

/** Members that all files of instructions have. */
export const instructionMembers = {
  /** The origin of the words, such as a paper's table. */
  source: sentence.optional(),
  system: sentence,
  /** What the places that `system` names stand for: it goes behind it. */
  legend: sentence.optional(),
  answer: sentence,
  again: sentence,
};

const schema = z.strictObject(instructionMembers);

/**
 * Reads the words around a judge's rubric: data/stereotypes/judge.yaml, or a file with the same members.
 *
 * @throws InputError that lists every problem with its line.
 */
export function loadJudgeWording(
  { file, text }: DataSource = packaged("judge.yaml"),
): RubricWording {
  const { system, legend, answer, again } = linedYaml(file, text, schema).value;
  return { system: withLegend(system, legend), answer, again };
}

export const withLegend = (system: string, legend: string | undefined): string =>
  [system, legend].filter(Boolean).join("\n\n");
