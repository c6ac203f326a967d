import { type Benchmark, hasStep } from "../../../benchmarks/benchmark.js";
import { benchmarkOf, benchmarks } from "../../../benchmarks/benchmarks.js";
import { isPaintedByLab, type World } from "../../../benchmarks/world.js";
import { InputError } from "../../../core/errors.js";
import type { Recipe } from "../../../core/recipe.js";
import type { RecordStore } from "../../../core/record-store.js";
import { loadLab } from "../../lab.js";

type Steps = Pick<Recipe, "steps">;

const isJudging = hasStep("judge-pairs");

/** Names a run's content for errors. */
const holdingOf = (recipe: Steps): string =>
  benchmarkOf(recipe)?.name ?? (isJudging(recipe) ? "a judge's answers" : "no benchmark");

/**
 * The benchmark of a run, with what is needed of it.
 *
 * @param needed the members that it must have.
 * @throws InputError where the run holds something that can't do that.
 */
export function benchmarkWith<Member extends keyof Benchmark>(
  recipe: Steps,
  needed: Member,
): Benchmark & Required<Pick<Benchmark, Member>> {
  const benchmark = benchmarkOf(recipe);
  if (benchmark !== undefined && has(benchmark, needed)) return benchmark;
  const names = benchmarks.filter((one) => has(one, needed)).map(({ name }) => name);
  throw unfitRun(recipe, `of ${names.join(" or ")}`);
}

/** The error for a run that is not as expected: "of prototypicality", "with a report". */
export function unfitRun(recipe: Steps, expected: string): InputError {
  const hint = isJudging(recipe)
    ? "It holds answers of a judge: calibrate and judge print what follows, touchstone run resume goes on"
    : benchmarkOf(recipe)?.hint;
  return new InputError(
    `Expected a run ${expected} but received one of ${holdingOf(recipe)}`,
    hint === undefined ? {} : { hint },
  );
}

const has = <Member extends keyof Benchmark>(
  benchmark: Benchmark,
  member: Member,
): benchmark is Benchmark & Required<Pick<Benchmark, Member>> => benchmark[member] !== undefined;

/** @throws InputError where the run holds another benchmark already: a run is of one. */
export function refuseOtherBenchmark(recipe: Steps, benchmark: Benchmark): void {
  if (recipe.steps.length === 0 || benchmark.recognises(recipe)) return;
  throw new InputError(
    `Expected a run of ${benchmark.name}, or a new folder, but received one of ${holdingOf(recipe)}`,
    { hint: "Give another folder: --run DIR" },
  );
}

/** The world that painted a run's images; undefined where nobody knows what is in them. */
export const worldOf = async (recipe: Pick<Recipe, "models">): Promise<World | undefined> =>
  isPaintedByLab(recipe) ? (await loadLab()).world : undefined;

/** The command that reports on a run: on all of it where its filter or its reference leaves nothing to conclude from. */
export async function reportWords(run: string, store: RecordStore): Promise<readonly string[]> {
  const isEmptied = await benchmarkOf(store.recipe)?.isEmptied?.(store);
  return ["report", run, ...(isEmptied === true ? ["--unfiltered"] : [])];
}
