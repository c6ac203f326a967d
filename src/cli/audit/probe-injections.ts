import {
  type InjectionEffect,
  injectionProbe,
} from "../../benchmarks/stereotypes/injection-probe.js";
import { loadJudgeWording } from "../../benchmarks/stereotypes/judge-wording.js";
import type { Rubric } from "../../benchmarks/stereotypes/rubrics.js";
import { InputError } from "../../core/errors.js";
import type { ChatModel } from "../../core/models.js";
import type { RunFolder } from "../../files/run-folder.js";
import type { Output } from "../output.js";
import { injectionSets } from "./injection-sets.js";

/** @throws InputError where `--injection-probe` is no number of sets. */
export function probedSets(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const sets = Number(text);
  if (Number.isInteger(sets) && sets > 0) return sets;
  throw new InputError(
    `Expected a whole number of sets above 0 for --injection-probe but received "${text}"`,
  );
}

/** Probes an audit's judge with sets of its run. Nothing of it is kept in the run. */
export async function probeInjections(
  run: RunFolder,
  {
    judge,
    rubrics,
    config,
    sets: count,
    output,
  }: {
    readonly judge: ChatModel;
    readonly rubrics: ReadonlyMap<string, Rubric>;
    readonly config: { readonly seed: number };
    readonly sets: number;
    readonly output: Pick<Output, "progress">;
  },
): Promise<InjectionEffect[]> {
  const { seed } = config;
  const sets = await injectionSets(run, { rubrics, count, seed });
  const wording = loadJudgeWording();
  return injectionProbe(
    { judge, wording, sets, seed },
    { onSet: (done) => output.progress(`Probing the judge: ${done} of ${sets.length} sets`) },
  );
}
