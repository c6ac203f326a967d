export { buildPairs, type PairSource } from "./build-pairs.js";
export { countFaults, type FaultCheck } from "./count-faults.js";
export { paintPairs } from "./paint-pairs.js";
export { type PreferenceRow, preferenceRows } from "./preference-rows.js";
