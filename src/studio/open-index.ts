import { openStore } from "../files/open-store.js";
import { RunIndex } from "./run-index.js";

/** An index over the run at a place, still empty. @throws InputError where there is no run. */
export const openIndex = async (place: string): Promise<RunIndex> =>
  // What was edited since is told of by `run verify`; here it is still to be looked at.
  new RunIndex(await openStore(place, { anyhow: true }));
