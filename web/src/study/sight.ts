import { createContext, useCallback, useLayoutEffect, useRef, useState } from "react";

/** How the images of an item tell that they are on the screen, and whether the item may be answered. */
export interface Sight {
  /** Begins to wait for an image; what is returned says that it is on the screen, or no longer wanted. */
  readonly wait: () => () => void;
  readonly isReady: boolean;
}

export const SightContext = createContext<Sight>({ wait: () => () => {}, isReady: true });

/** Milliseconds. What is pressed sooner after sight was meant for the item before, or is a double click. */
export const soonest = 300;

/**
 * Watches when all images of an item's step are on the screen: from then on its time is taken, and after
 * `minimumSeconds`, and never sooner than anybody can have looked, it may be answered.
 *
 * @returns `seenAt`: when the first step was on the screen (performance.now())
 */
export function useSight({
  step,
  minimumSeconds = 0,
}: {
  readonly step: number;
  readonly minimumSeconds?: number | undefined;
}) {
  const [readyStep, setReadyStep] = useState<number>();
  const seenAt = useRef<number>(undefined);
  const waiting = useRef(0);
  /** Raised whenever what was seen no longer holds. */
  const turn = useRef(0);
  const see = useCallback(() => {
    turn.current += 1;
    const own = turn.current;
    // A frame is on the screen when the one after it begins; where nobody sees the page, there is none.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (own !== turn.current) return;
        seenAt.current ??= performance.now();
        const pause = Math.max(soonest, minimumSeconds * 1000);
        setTimeout(() => own === turn.current && setReadyStep(step), pause);
      }),
    );
  }, [step, minimumSeconds]);
  const latest = useRef(see);
  const wait = useCallback(() => {
    waiting.current += 1;
    turn.current += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      waiting.current -= 1;
      if (waiting.current === 0) latest.current();
    };
  }, []);
  // After the images of this step have said that they are waited for: effects of children come first.
  useLayoutEffect(() => {
    latest.current = see;
    if (waiting.current === 0) see();
    return () => {
      turn.current += 1;
    };
  }, [see]);
  return { wait, isReady: readyStep === step, seenAt };
}
