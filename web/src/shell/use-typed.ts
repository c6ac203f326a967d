import { type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from "react";

/** A text that is typed: told once the page has drawn it, so that typing never waits. */
export function useTyped(given: string, onTyped: (text: string) => void) {
  const [text, setText] = useState(given);
  const settled = useDeferredValue(text);
  // What was told comes back as what is given, when more may have been typed.
  const told = useRef(new Set<string>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed is told
  useEffect(() => {
    if (settled === given) return;
    told.current.add(settled);
    onTyped(settled);
  }, [settled]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is given anew is taken
  useEffect(() => {
    if (!told.current.delete(given)) setText(given);
    if (given === settled) told.current.clear();
  }, [given]);
  return [text, setText] as const;
}

/**
 * Leaves a field on Escape and keeps what is typed. A browser's own clearing of a search field fires late, and would
 * undo the next key.
 */
export function leaveOnEscape(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== "Escape") return;
  event.preventDefault();
  event.currentTarget.blur();
}
