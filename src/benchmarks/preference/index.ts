export { buildPairs, type PairSource } from "./build-pairs.js";
export { anotherSubject, countFaults, type FaultCheck } from "./count-faults.js";
export { degradeImages, faultlessImages, noPreferencePairs } from "./no-preference-pairs.js";
export { paintPairs } from "./paint-pairs.js";
export { type PreferenceRow, preferenceRows } from "./preference-rows.js";
