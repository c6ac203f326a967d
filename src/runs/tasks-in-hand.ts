/**
 * How many tasks to have in hand for a model that answers so many calls at once: half as many more.
 * While one task reads its image or writes its record the next one's call takes its place, so that
 * the model is never left waiting for a disk; the model itself holds the calls to its limit.
 *
 * @example tasksInHand(64) // 96
 */
export const tasksInHand = (callsAtOnce: number): number => Math.ceil(1.5 * callsAtOnce);
