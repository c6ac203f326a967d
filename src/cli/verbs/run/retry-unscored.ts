import type { Arguments } from "../../../core/options.js";
import type { AnyRecord } from "../../../core/records.js";
import { isUnread, type UnscoredReason } from "../../../core/unscored.js";
import { ReplyStore } from "../../../models/cache/reply-store.js";
import type { CallMeter } from "../../../models/prices/call-meter.js";
import type { AskingAgain, StepSummary } from "../../../runs/run-steps.js";
import { pluralText } from "../../../views/number-text.js";
import { dollars } from "../../terminal/numbers.js";

/** Flags that ask again what was answered before. */
export const askAgainArguments = {
  "no-cache": {
    kind: "switch",
    description: "ask hosted models again instead of using cached answers",
  },
  "retry-unscored": {
    kind: "switch",
    description:
      "ask again where a reply was cut, empty, unreadable or without token probabilities; refusals stay",
  },
} as const satisfies Arguments;

/** For a command line that goes on: it asks again what it must, and no more. */
export const withoutAskingAgain = { "no-cache": undefined, "retry-unscored": undefined };

/** The flag for a recipe's command line: what such a command has not asked yet is asked anew when it is resumed. */
export const anewWords = (given: { readonly "no-cache": boolean }): readonly string[] =>
  given["no-cache"] ? ["--no-cache"] : [];

/** What a run is to ask again, by the flags. */
export function asksAgain(
  given: Readonly<Record<keyof typeof askAgainArguments, boolean>>,
  cacheDirectory: string | undefined,
): AskingAgain {
  if (given["no-cache"]) return { beginsAnew: true };
  if (!given["retry-unscored"]) return {};
  const isLacking = (record: AnyRecord) => record.status === "unscored" && isUnread(record.reason);
  if (cacheDirectory === undefined) return { asksAgain: isLacking };
  const replies = new ReplyStore(cacheDirectory);
  return {
    asksAgain: isLacking,
    async forgetReplies(keys) {
      for (const key of keys) await replies.forget(key);
    },
  };
}

/** How many of those without an answer `--retry-unscored` asks again. */
export const unreadOf = (reasons: Readonly<Partial<Record<UnscoredReason, number>>>): number =>
  (Object.entries(reasons) as [UnscoredReason, number][])
    .filter(([reason]) => isUnread(reason))
    .reduce((sum, [, count]) => sum + count, 0);

/** The same of the steps of a run, where they asked hosted models. */
export function retryOfRun(
  summaries: readonly StepSummary[],
  meter: Pick<CallMeter, "watchesAny">,
): string | undefined {
  if (!meter.watchesAny) return undefined;
  const unread = summaries.reduce((sum, { unscored }) => sum + unreadOf(unscored), 0);
  const asked = summaries.reduce((sum, { planned, reused }) => sum + planned - reused, 0);
  const cost = summaries.reduce((sum, each) => sum + each.cost, 0);
  return retryText(unread, cost > 0 ? cost / asked : undefined);
}

/**
 * Names the flag that asks again; nothing where nothing would be.
 *
 * @param cost US dollars that one such answer cost, if that is known.
 * @example "12 replies could not be read; --retry-unscored asks for them again (about $0.012)."
 */
export function retryText(unread: number, cost: number | undefined): string | undefined {
  if (unread === 0) return undefined;
  const price =
    cost === undefined ? "at a cost that is not known" : `about ${dollars(cost * unread)}`;
  return (
    `${pluralText(unread, "answer")} could not be read; --retry-unscored asks for ` +
    `${unread === 1 ? "it" : "them"} again (${price}).`
  );
}
