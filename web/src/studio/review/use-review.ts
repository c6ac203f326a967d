import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type {
  ReviewAnswer,
  ReviewCounts,
  ReviewDetail,
  ReviewHand,
  ReviewItem,
} from "../../../../src/studio/reviews/review-api.js";
import { ask, searchOf } from "../../shell/api.js";
import { readerName } from "../../shell/reader-name.js";
import { type Given, Outbox, type OutboxNews } from "./outbox.js";

/** So many items are in hand, so that the next image is there before it is wanted. */
const inHand = 6;

export interface Review {
  /** The current item, and those after it; empty while it is fetched, and at the end. */
  readonly items: readonly ReviewItem[];
  readonly counts: ReviewCounts;
  readonly news: OutboxNews;
  /** Whether other windows hold all that is left. */
  readonly isShared: boolean;
  /** Refusal of answers, in the server's words. */
  readonly refused: string | undefined;
  readonly error: Error | undefined;
  /** Whether there is something to take back. */
  readonly canUndo: boolean;
  /** @param comment what the reader notes beside it */
  answer(answer: ReviewAnswer, comment?: string): void;
  undo(): void;
  putAside(): void;
}

export const reviewAddress = (id: string) => `/api/reviews/${encodeURIComponent(id)}`;

/**
 * The queue as one window works through it.
 *
 * @param options.updatedAt when its counts were asked for
 * @param options.second who gives second opinions on what others answered; otherwise what is open is answered
 */
export function useReview(
  { id, counts: standing }: ReviewDetail,
  { updatedAt, second }: { readonly updatedAt: number; readonly second: string | undefined },
): Review {
  const [items, setItems] = useState<readonly ReviewItem[]>([]);
  const [counts, setCounts] = useState(standing);
  const [news, setNews] = useState<OutboxNews>({ pending: 0, isAway: false });
  const [isShared, setShared] = useState(false);
  const [refused, setRefused] = useState<string>();
  const [error, setError] = useState<Error>();
  const [done, setDone] = useState<readonly Given[]>([]);
  const from = useRef(0);
  const name = useRef(Math.random().toString(36).slice(2));
  const outbox = useMemo(
    () =>
      new Outbox(`${reviewAddress(id)}/answers`, {
        onNews: setNews,
        onKept: ({ counts: now }) => setCounts(now),
        onRefused: ({ item }, { message, hint }) => {
          setRefused(`${message}. ${hint ?? ""}`);
          setDone((all) => all.filter((given) => given.item.key !== item.key));
        },
      }),
    [id],
  );
  // What other windows have answered; what an answer of before said is mended by the next look.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at again, equal counts are the same object
  useEffect(() => setCounts(standing), [standing, updatedAt]);
  const [asked, setAsked] = useState(0);
  const isLow = items.length < inHand / 2;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when answers were kept, or after a pause
  useEffect(() => {
    if (!isLow) return;
    const ending = new AbortController();
    const search = searchOf({ window: name.current, from: from.current, limit: inHand, second });
    ask<ReviewHand>(`${reviewAddress(id)}/next${search}`, ending.signal).then(
      (hand) => {
        setError(undefined);
        setCounts(hand.counts);
        setShared(hand.isShared);
        const sent = outbox.items;
        setItems((held) => {
          const known = new Set(held.map(({ key }) => key));
          const more = hand.items.filter(({ key }) => !known.has(key) && !sent.has(key));
          from.current = (more.at(-1) ?? held.at(-1))?.place ?? -1;
          from.current += 1;
          return [...held, ...more];
        });
      },
      (reason: unknown) => {
        if (ending.signal.aborted) return;
        setError(reason instanceof Error ? reason : new Error(String(reason)));
        setTimeout(() => setAsked((times) => times + 1), 1000);
      },
    );
    return () => ending.abort();
  }, [id, second, isLow, items.length, news.pending === 0, asked, outbox]);

  const [current] = items;
  const answer = useCallback(
    (said: ReviewAnswer, comment?: string) => {
      if (current === undefined) return;
      const who = { by: second ?? readerName(), isSecond: second !== undefined };
      const given = { item: current, answer: said, was: current.answer, comment, ...who };
      setRefused(undefined);
      setItems((held) => held.filter(({ key }) => key !== current.key));
      setDone((all) => [...all, given]);
      outbox.add(given);
    },
    [current, outbox, second],
  );
  const undo = useCallback(() => {
    const last = done.at(-1);
    if (last === undefined) return;
    setDone(done.slice(0, -1));
    setItems((held) => [last.item, ...held.filter(({ key }) => key !== last.item.key)]);
    outbox.add({ ...last, answer: last.was, was: last.answer, comment: undefined });
  }, [done, outbox]);
  const putAside = useCallback(
    () => setItems((held) => (held.length < 2 ? held : held.slice(1))),
    [],
  );
  useEffect(() => {
    if (news.pending === 0) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [news.pending]);
  const canUndo = done.length > 0;
  return { items, counts, news, isShared, refused, error, canUndo, answer, undo, putAside };
}
