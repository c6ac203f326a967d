import type { Benchmark } from "../../benchmarks/benchmark.js";
import { shownConfusion } from "./attribute-confusion/show.js";
import { shownPreference } from "./preference/show.js";
import { shownPrototypicality } from "./prototypicality/show.js";
import type { ShownBenchmark } from "./shown-benchmark.js";
import { shownStereotypes } from "./stereotypes/show.js";

/** How each benchmark is shown. */
export const shownBenchmarks: readonly ShownBenchmark[] = [
  shownPrototypicality,
  shownConfusion,
  shownPreference,
  shownStereotypes,
];

/** How a benchmark is shown; undefined for one that is not. */
export const shownBenchmark = ({ name }: Pick<Benchmark, "name">): ShownBenchmark | undefined =>
  shownBenchmarks.find(({ benchmark }) => benchmark.name === name);
