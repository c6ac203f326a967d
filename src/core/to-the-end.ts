/** Does work that yields how far it has come, without a look aside; what it comes to. */
export function toTheEnd<Result>(work: Generator<unknown, Result>): Result {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}
