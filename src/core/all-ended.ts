import { NoAnswer } from "./unscored.js";

/**
 * What all of the work gave, as `Promise.all`, but after all of it has ended: what is under way when one
 * part fails may be paid for, and is kept by whoever keeps it.
 *
 * @throws the first failure that is no `NoAnswer`, since it ends more than this; else the first.
 * @example await allEnded([ask("Is it red?"), ask("Is it round?")])
 */
export async function allEnded<Made>(work: readonly Promise<Made>[]): Promise<Made[]> {
  const ended = await Promise.allSettled(work);
  const failures = ended.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  if (failures.length > 0) {
    throw failures.find((failure) => !(failure instanceof NoAnswer)) ?? failures[0];
  }
  return ended.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}
