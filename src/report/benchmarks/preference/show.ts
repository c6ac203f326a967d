import { preference } from "../../../benchmarks/preference/benchmark.js";
import { shown } from "../shown-benchmark.js";
import { builtPairs } from "./built.js";

export const shownPreference = shown(preference, { built: builtPairs });
