import { dirname, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import { hashOf } from "../../core/keys.js";
import { failed } from "../../files/file-error.js";
import type { TextPlace } from "../../files/folder-texts/folder-texts.js";
import { readTextFile } from "../../files/regular-file.js";
import { type LinedYaml, linedYaml } from "../../files/yaml.js";
import { readCodebook } from "../coding/codebook.js";
import { panelCodes } from "../panel/panels.js";
import { hasLevels } from "../protocols/protocols.js";
import type { Code, StudyText } from "../study.js";
import { panelIn, type StudySettings } from "./study-config.js";
import { studyConfigSchema } from "./study-schema.js";

/** A configuration with the texts that it names. */
export interface StudyConfig {
  readonly file: string;
  /** The folder that its paths are relative to. */
  readonly folder: string;
  readonly settings: StudySettings;
  readonly consent: StudyText;
  readonly debrief: StudyText | undefined;
  readonly codebook?: readonly Code[] | undefined;
  /** Such as "line 7". */
  lineOf(path: readonly PropertyKey[]): string;
}

/**
 * Reads the configuration of a study.
 *
 * @param file from the working directory
 * @param options.from where all blocks take their items from, in place of what the file says; a path
 *   from the working directory
 * @param options.texts where the texts of folders of images are, in every block
 * @param options.unfiltered also asks about pairs that a run's filter dropped, in every block
 * @throws InputError that lists every problem with its line.
 */
export async function readStudyConfig(
  file: string,
  workingDirectory: string,
  {
    from,
    texts,
    unfiltered = false,
  }: {
    readonly from?: string | undefined;
    readonly texts?: TextPlace | undefined;
    readonly unfiltered?: boolean;
  } = {},
): Promise<StudyConfig> {
  const path = resolve(workingDirectory, file);
  const folder = dirname(path);
  const text = await readTextFile(path).catch(failed("read", file));
  const hint = "touchstone example study --out DIR writes one that works.";
  const read = linedYaml(file, text, studyConfigSchema, hint);
  const problems = contradictions(read);
  if (problems.length > 0) throw new InputError(`Expected another study in ${file}`, { problems });
  const { value, lineOf } = read;
  const blocks = value.blocks.map((block) => ({
    ...block,
    ...(from === undefined ? {} : { from: resolve(workingDirectory, from) }),
    ...(texts === undefined ? {} : { texts }),
    ...(unfiltered ? { unfiltered } : {}),
  }));
  const panel = panelIn(value);
  const codes = panel === undefined ? value.codes : panelCodes({ ...value, panel });
  const settings = { ...value, blocks, codes };
  const fileText = (given: string): Promise<string> =>
    readTextFile(resolve(folder, given)).catch(failed("read", given));
  const textOf = async (given: string): Promise<StudyText> => {
    const own = isFileName(given) ? await fileText(given) : given;
    const version = hashOf(new TextEncoder().encode(own)).slice(0, 12);
    return { version, text: own.trim() };
  };
  return {
    file,
    folder,
    settings,
    consent: await textOf(settings.consent),
    debrief: settings.debrief === undefined ? undefined : await textOf(settings.debrief),
    codebook:
      settings.codebook === undefined
        ? undefined
        : readCodebook(settings.codebook, await fileText(settings.codebook)),
    lineOf,
  };
}

/** One word that ends as a text file does. */
const isFileName = (text: string): boolean => /^\S+\.(md|txt)$/.test(text);

/** Members that fit by themselves and not to each other. */
function contradictions({ value, lineOf }: LinedYaml<StudySettings>): string[] {
  const problems: string[] = [];
  const report = (path: readonly PropertyKey[], problem: string) =>
    problems.push(`${lineOf(path)}: ${path.map(String).join(".")}: ${problem}`);
  const questions = new Map(value.background.map((question) => [question.name, question]));
  if (questions.size < value.background.length) {
    report(["background"], "expected each name once");
  }
  for (const [at, { name, accept, quotas }] of value.screening.entries()) {
    const question = questions.get(name);
    if (question === undefined) {
      report(["screening", at, "name"], `there is no background question ${name}`);
      continue;
    }
    const words = [...accept, ...Object.keys(quotas ?? {})];
    const foreign = words.find((word) => question.choices?.includes(word) === false);
    if (foreign !== undefined) {
      report(["screening", at], `${foreign} is not one of the choices of ${name}`);
    }
  }
  for (const [at, block] of value.blocks.entries()) {
    if (block.levels !== undefined && !hasLevels(block.protocol)) {
      report(["blocks", at, "levels"], `the protocol ${block.protocol} has no levels`);
    }
    if (block.masks !== undefined && block.protocol !== "localized") {
      report(["blocks", at, "masks"], `the protocol ${block.protocol} asks about no entities`);
    }
    for (const member of ["gold", "practice"] as const) {
      if (block[member] !== undefined && block.protocol === "mental-image") {
        report(["blocks", at, member], "a mental image has no known answer");
      }
    }
    if (value.participants !== undefined && block.ratingsPerItem > value.participants) {
      report(
        ["blocks", at, "ratingsPerItem"],
        `${block.ratingsPerItem} ratings per item need as many people; participants is ${value.participants}`,
      );
    }
  }
  if (value.facilitatorSeesModels && !value.moderated) {
    report(["facilitatorSeesModels"], "there is no facilitator: moderated is false");
  }
  return problems;
}
