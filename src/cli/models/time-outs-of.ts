import type { TimeOuts } from "../../models/http/exchange.js";

/** Times of settings, in milliseconds; what they do not say is left to the adapter. */
export const timeOutsOf = ({
  timeoutSeconds,
  stallSeconds,
}: {
  readonly timeoutSeconds?: number | undefined;
  readonly stallSeconds?: number | undefined;
}): Partial<TimeOuts> => ({
  ...(timeoutSeconds === undefined ? {} : { total: timeoutSeconds * 1000 }),
  ...(stallSeconds === undefined ? {} : { stall: stallSeconds * 1000 }),
});
