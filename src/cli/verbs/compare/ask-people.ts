import { writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import {
  type PeoplesAnswer,
  shareByPrompt,
} from "../../../analysis/comparison/people-preference.js";
import { labelPlan } from "../../../analysis/label-plan/label-plan.js";
import type { PlanUnit } from "../../../analysis/label-plan/plan-units.js";
import { InputError } from "../../../core/errors.js";
import { makeFolder } from "../../../files/make-folder.js";
import { readStudyConfig } from "../../../studies/config/read-study-config.js";
import { createStudy } from "../../../studies/create-study.js";
import { hasStudy, newStudy } from "../../../studies/home/open-study.js";
import { csvText } from "../../../tables/cell-table.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import type { ItemPair } from "./pair-items.js";
import type { MetricScores } from "./score-pairs.js";
import type { TwoSides } from "./side-items.js";

/** A study of which of two images people prefer. */
export interface AskedPeople {
  /** The study's folder, from the working directory. */
  readonly study: string;
  readonly prompts: number;
  /** Whether scores told which prompts to ask about; else all were as likely. */
  readonly byScores: boolean;
}

/** @throws InputError where the folder of two sides' study is taken. */
export async function refuseTaken(
  sides: TwoSides,
  { workingDirectory }: Pick<Environment, "workingDirectory">,
): Promise<void> {
  const folder = studyFolder(sides);
  const study = `${folder}/study`;
  if (!(await hasStudy(join(workingDirectory, study)))) return;
  throw new InputError(`Expected no study in ${folder} for --ask but there is one`, {
    hint: `Go on with its answers: --labels ${study}. To ask anew, move ${folder} elsewhere`,
  });
}

/** What people are asked about, and what is known already. */
interface Asking {
  readonly sides: TwoSides;
  readonly ask: number;
  readonly seed: number;
  /** The scores that tell which prompts to ask about; without them all prompts are alike. */
  readonly scored: MetricScores | undefined;
  readonly answers: readonly PeoplesAnswer[];
  /** The words after `touchstone` that read the answers of a study. */
  readonly goOn: (study: string) => readonly string[];
  readonly environment: Environment;
  readonly output: Output;
}

/**
 * Makes a study of pairs: so many prompts, drawn as `label plan` draws them (with their probabilities), each asked of
 * one person which image shows it better. Its folder holds study.yaml, pairs.csv and the study itself.
 *
 * @throws InputError where its folder is taken, and where all prompts have answers.
 */
export async function askPeople(
  pairs: readonly ItemPair[],
  { sides, ask, seed, scored, answers, goOn, environment, output }: Asking,
): Promise<AskedPeople> {
  await refuseTaken(sides, environment);
  const { workingDirectory } = environment;
  const folder = studyFolder(sides);
  const path = join(workingDirectory, folder);
  const study = `${folder}/study`;
  const units = [...new Map(pairs.map((pair) => [pair.prompt, pair])).values()];
  const { drawn, round, useful } = labelPlan(planUnits(units, { scored, answers, sides }), {
    aim: "compare",
    budget: ask,
    seed,
  });
  const chosen = drawn.flatMap((draw) => {
    const pair = units[draw.at];
    return pair === undefined ? [] : [{ ...draw, pair }];
  });
  if (chosen.length === 0) {
    throw new InputError("Expected prompts to ask people about but all have answers", {
      hint: "Without --ask the answers are compared",
    });
  }
  const [a, b] = sides;
  await makeFolder(path);
  await writeFile(
    join(path, "pairs.csv"),
    csvText({
      columns: [
        ...["id", "caption", "image_a", "image_b", "model_a", "model_b", "prompt"],
        ...["probability", "weight", "stratum", "round"],
      ],
      rows: chosen.map(({ pair, probability, weight, stratum }, at) => [
        String(at + 1),
        pair.prompt,
        ...pair.items.map((item) => relative(path, item.path)),
        a.name,
        b.name,
        pair.prompt,
        probability,
        weight,
        stratum,
        round,
      ]),
    }),
  );
  await writeFile(join(path, "study.yaml"), studyText(seed, goOn(study)));
  const config = await readStudyConfig(`${folder}/study.yaml`, workingDirectory);
  const made = await newStudy(resolve(workingDirectory, study));
  await made.create(
    await createStudy(config, {
      keep: (bytes) => made.images.write(bytes),
      tell: output.note,
      onItem: ({ done, total }) => output.progress(`${done} of ${total} pairs`),
    }),
  );
  output.clear();
  return { study, prompts: chosen.length, byScores: scored !== undefined && useful !== false };
}

/** A unit for each pair: how far the first metric parts its images, and what people said of it before. */
function planUnits(
  pairs: readonly ItemPair[],
  { scored, answers, sides: [a] }: Pick<Asking, "scored" | "answers" | "sides">,
): PlanUnit[] {
  const sign = scored?.metric.direction === "lower" ? -1 : 1;
  const apart = new Map<string, number | null>();
  for (const { prompt, model, score } of scored?.rows ?? []) {
    const before = apart.get(prompt);
    const part = score === null ? null : (model === a.name ? sign : -sign) * score;
    apart.set(prompt, part === null || before === null ? null : (before ?? 0) + part);
  }
  const said = shareByPrompt(answers);
  const draws = new Map(answers.map(({ prompt, draw }) => [prompt, draw]));
  return pairs.map(({ prompt }): PlanUnit => {
    // A pair without a score is as likely either way.
    const score = apart.get(prompt) ?? 0;
    const { weight = null, round = null, stratum = null } = draws.get(prompt) ?? {};
    const answer = said.get(prompt) ?? null;
    return { score, groups: [], answer, forecast: score, weight, round, stratum };
  });
}

const studyFolder = (sides: TwoSides): string =>
  ["people", ...sides.map(({ name }) => name.replaceAll(/[^\p{L}\p{N}.-]+/gu, "_"))].join("-");

const studyText = (
  seed: number,
  next: readonly string[],
) => `title: Which image shows the text better?
seed: ${seed}
open: true
consent: >-
  You will see two images at a time and say which one shows the text better. Your answers are kept without your name.
  You may stop at any time.
blocks:
  - protocol: pairwise
    from: pairs.csv
    ratingsPerItem: 1
next: ${JSON.stringify(next)}
`;
