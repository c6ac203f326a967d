import type { ReactNode } from "react";
import { useEffect } from "react";
import { useKeys } from "../shell/keys.js";
import { pluralText } from "../shell/numbers.js";

/** Where one thing of a list stands, from 0, and how to come to another. */
interface Steps {
  readonly what: string;
  readonly at: number;
  readonly total: number;
  readonly onStep: (at: number) => void;
}

/** Goes through a list by the arrow keys; returns what goes to another place in it. */
export function useSteps({ what, at, total, onStep }: Steps): (to: number) => void {
  const go = (to: number) => {
    if (to >= 0 && to < total) onStep(to);
  };
  // An address may come from a longer list.
  useEffect(() => {
    if (total > 0 && at >= total) go(total - 1);
  });
  useKeys([
    { key: "ArrowLeft", does: `the ${what} before`, run: () => go(at - 1) },
    { key: "ArrowRight", does: `the next ${what}`, run: () => go(at + 1) },
  ]);
  return go;
}

/** The way to what stands before and after in a list, and where in it one is. */
export const StepBar = ({
  what,
  at,
  total,
  onStep,
  beside,
  children,
}: Steps & { readonly beside?: string; readonly children?: ReactNode }) => (
  <p className="steps">
    <button type="button" onClick={() => onStep(at - 1)} disabled={at === 0}>
      ← Before
    </button>
    <button type="button" onClick={() => onStep(at + 1)} disabled={at + 1 >= total}>
      Next →
    </button>
    <span className="quiet" role="status">
      {total > 0 && `${at + 1} of ${pluralText(total, what)}`}
      {beside}
    </span>
    {children}
  </p>
);
