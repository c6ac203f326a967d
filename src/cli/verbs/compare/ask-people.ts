import { writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { randomFrom } from "../../../core/random.js";
import { makeFolder } from "../../../files/make-folder.js";
import { readStudyConfig } from "../../../studies/config/read-study-config.js";
import { createStudy } from "../../../studies/create-study.js";
import { hasStudy, newStudy } from "../../../studies/home/open-study.js";
import { csvText } from "../../../tables/cell-table.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import type { TwoSides } from "./compared-sides.js";
import type { ItemPair } from "./pair-items.js";

/** A study of which of two images people prefer. */
export interface AskedPeople {
  /** The study's folder, from the working directory. */
  readonly study: string;
  readonly prompts: number;
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
    hint: `Go on with its answers: --labels ${study}`,
  });
}

/**
 * Makes a study of pairs: so many prompts, drawn at random, each asked of one person which image shows it better. Its
 * folder holds study.yaml, pairs.csv and the study itself.
 *
 * @throws InputError where its folder is taken.
 */
export async function askPeople(
  pairs: readonly ItemPair[],
  {
    sides,
    ask,
    seed,
    environment,
    output,
  }: {
    readonly sides: TwoSides;
    readonly ask: number;
    readonly seed: number;
    readonly environment: Environment;
    readonly output: Output;
  },
): Promise<AskedPeople> {
  await refuseTaken(sides, environment);
  const { workingDirectory } = environment;
  const folder = studyFolder(sides);
  const path = join(workingDirectory, folder);
  const study = `${folder}/study`;
  const byPrompt = new Map(pairs.map((pair) => [pair.prompt, pair]));
  const drawn = randomFrom(seed, "prompts for people")
    .shuffle([...byPrompt.values()])
    .slice(0, ask);
  const [a, b] = sides;
  await makeFolder(path);
  await writeFile(
    join(path, "pairs.csv"),
    csvText({
      columns: ["id", "caption", "image_a", "image_b", "model_a", "model_b", "prompt"],
      rows: drawn.map(({ prompt, items: [one, other] }, at) => [
        String(at + 1),
        prompt,
        relative(path, one.path),
        relative(path, other.path),
        a.name,
        b.name,
        prompt,
      ]),
    }),
  );
  await writeFile(join(path, "study.yaml"), studyText(seed));
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
  return { study, prompts: drawn.length };
}

const studyFolder = (sides: TwoSides): string =>
  ["people", ...sides.map(({ name }) => name.replaceAll(/[^\p{L}\p{N}.-]+/gu, "_"))].join("-");

const studyText = (seed: number) => `title: Which image shows the text better?
seed: ${seed}
open: true
consent: >-
  You will see two images at a time and say which one shows the text better. Your answers are kept without your name.
  You may stop at any time.
blocks:
  - protocol: pairwise
    from: pairs.csv
    ratingsPerItem: 1
`;
