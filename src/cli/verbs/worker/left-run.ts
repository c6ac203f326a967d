import { IncompleteError, InputError, TouchstoneError } from "../../../core/errors.js";
import { CallFailure, isOutage } from "../../../models/http/call-failure.js";

/**
 * Why a worker left a run: "whole", nothing is left of it; "unanswered", only items without an answer that
 * may come when they are asked again; "away", a model's server is down; "refused", this machine can't work
 * on it, for now.
 */
export type Leaving = "whole" | "unanswered" | "away" | "refused";

const second = 1000;
const minute = 60 * second;

/** Milliseconds until a run is gone over again: at first, doubled each time, and at most. */
const waits: Readonly<
  Record<Exclude<Leaving, "whole">, readonly [first: number, longest: number]>
> = {
  away: [5 * second, 5 * minute],
  refused: [30 * second, 10 * minute],
  unanswered: [minute, 60 * minute],
};

/** How a run stood when a worker left it. */
export interface LeftRun {
  readonly why: Leaving;
  /** Since when it is left for this reason, in milliseconds since 1970. */
  readonly since: number;
  readonly wait: number;
  /** When it is gone over again; never, where it is whole. */
  readonly due: number;
  /** What was to be done: what is added is gone over at once. */
  readonly commands?: string | undefined;
  /** When the run was last changed. */
  readonly changed?: number | undefined;
}

/** @param before how the run was left the time before, unless something came of it since */
export function leftRun(
  why: Leaving,
  {
    now,
    before,
    ...rest
  }: { readonly now: number; readonly before: LeftRun | undefined } & Pick<
    LeftRun,
    "commands" | "changed"
  >,
): LeftRun {
  if (why === "whole") return { why, since: now, wait: 0, due: Number.POSITIVE_INFINITY, ...rest };
  const [first, longest] = waits[why];
  const same = before?.why === why ? before : undefined;
  const wait = same === undefined ? first : Math.min(2 * same.wait, longest);
  return { why, since: same?.since ?? now, wait, due: now + wait, ...rest };
}

/** Whether a run was left for something that concerns all: "store", it is away; "disk", its disk is full. */
export const isOf = (codes: readonly ("store" | "disk")[], error: unknown): boolean =>
  error instanceof TouchstoneError &&
  (codes.some((code) => code === error.code) || isOf(codes, error.cause));

/** Whether a model's server is down, or takes no calls for now. */
export const isAway = (error: unknown): boolean =>
  error instanceof IncompleteError ||
  (error instanceof CallFailure && isOutage(error)) ||
  (error instanceof InputError && isAway(error.cause));

/** What a run was left for, without the task at which it showed, or that one may try again. */
export function reasonText(error: Error): string {
  if (error instanceof InputError && error.cause instanceof InputError) {
    return reasonText(error.cause);
  }
  const hint = error instanceof InputError ? error.hint : undefined;
  return `${error.message}${hint === undefined ? "" : ` (${hint})`}`;
}
