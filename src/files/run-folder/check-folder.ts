import { basename, join } from "node:path";
import { InputError } from "../../core/errors.js";
import type { StoreCheck } from "../../core/record-store.js";
import { namesIn } from "../directory.js";
import type { SealState } from "./seals.js";
import type { StepFiles } from "./step-files.js";

/** A file of a run that is sealed when it is finished. */
export interface SealedFile {
  /** In the folder of the run. */
  readonly name: string;
  readonly path: string;
  /** Step whose records it holds, by its `stepId`; `undefined` for the recipe. */
  readonly step: string | undefined;
  readonly state: SealState;
  /** The file of its seal. */
  readonly seal: string;
}

/** Says how a file differs from what was sealed. */
const changeText = ({ path, step, state }: SealedFile): string =>
  `${step === undefined ? "the recipe" : `the records of step ${step}`} ` +
  `${state === "gone" ? "are gone" : `${step === undefined ? "was" : "were"} changed`} ` +
  `since ${step === undefined ? "it was" : "they were"} sealed (in ${path})`;

/** Refuses a run whose files are not as they were sealed. */
export function changedRun(directory: string, wrong: readonly SealedFile[]): InputError {
  const steps = wrong.some(({ step }) => step !== undefined);
  return new InputError(
    `Expected the run in ${directory} as it was sealed when its steps were finished, but ` +
      `${wrong.length === 1 ? "a file was" : `${wrong.length} files were`} changed since`,
    {
      problems: wrong.map(changeText),
      hint:
        `Put back what was there${steps ? ", or remove the file of records and resume the run, which collects them anew" : ""}. ` +
        `If you mean the change, remove its seal, ${wrong.map(({ seal }) => seal).join(", ")}: the file then counts as unsealed.`,
    },
  );
}

/** Compares the files of a run with their seals, and those of `records` with the recipe. */
export async function checkFolder({
  sealed,
  records,
  steps,
}: {
  readonly sealed: readonly SealedFile[];
  readonly records: string;
  readonly steps: readonly StepFiles[];
}): Promise<StoreCheck> {
  const changed = sealed.filter(({ state }) => state === "changed" || state === "gone");
  return {
    unsealed: sealed.filter(({ state }) => state === "unsealed").map(({ name }) => name),
    recipeStands: changed.every(({ step }) => step !== undefined),
    problems: [...changed.map(changeText), ...(await strangers(records, steps))],
  };
}

/** Files among the records that belong to no step. */
async function strangers(directory: string, steps: readonly StepFiles[]): Promise<string[]> {
  const known = new Set<string>();
  for (const files of steps) {
    known.add(basename(files.path));
    for (const { path } of await files.segments()) known.add(basename(path));
  }
  return (await namesIn(directory))
    .filter((name) => !name.startsWith(".") && !known.has(name))
    .map((name) => `No step of run.json has the file ${join(directory, name)}`);
}
