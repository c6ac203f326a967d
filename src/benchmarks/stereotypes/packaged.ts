import { readFileSync } from "node:fs";
import { z } from "zod";
import { linedYaml } from "../../files/yaml.js";
import type { RubricWording } from "../../judges/rubric-message.js";
import { loadData } from "../load-data.js";

/** A file's text, and what messages call it. */
export interface DataSource {
  readonly file: string;
  readonly text: string;
}

/** A file of data/stereotypes. */
export const packaged = (name: string): DataSource => dataFile(`stereotypes/${name}`);

/** A file of data/papers: the words of a paper. */
export const ofPaper = (name: string): DataSource => dataFile(`papers/${name}`);

const dataFile = (name: string): DataSource => ({
  file: `data/${name}`,
  text: readFileSync(new URL(`../../../data/${name}`, import.meta.url), "utf8"),
});

const schema = z.strictObject({ short: z.string().trim().min(1), text: z.string().trim().min(1) });

/** Reads the notice that every reader of an audit is given: `short` in a terminal, `text` in a report. */
export const loadNotice = (): z.output<typeof schema> =>
  loadData("stereotypes/notice.yaml", schema);

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

const judgeSchema = z.strictObject(instructionMembers);

/**
 * Reads the words around a judge's rubric: data/stereotypes/judge.yaml, or a file with the same members.
 *
 * @throws InputError that lists every problem with its line.
 */
export function loadJudgeWording(
  { file, text }: DataSource = packaged("judge.yaml"),
): RubricWording {
  const { system, legend, answer, again } = linedYaml(file, text, judgeSchema).value;
  return { system: withLegend(system, legend), answer, again };
}

export const withLegend = (system: string, legend: string | undefined): string =>
  [system, legend].filter(Boolean).join("\n\n");
