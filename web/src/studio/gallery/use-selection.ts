import { useCallback, useMemo, useState } from "react";

/** The images of a run that somebody chose, by their keys. */
export interface Selection {
  readonly keys: ReadonlySet<string>;
  toggle(key: string | undefined): void;
  /** Chooses these as well. */
  add(keys: Iterable<string>): void;
  clear(): void;
}

/** A selection that lasts while its page is shown. */
export function useSelection(): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((key: string | undefined) => {
    if (key === undefined) return;
    setKeys((now) => {
      const next = new Set(now);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  const add = useCallback(
    (more: Iterable<string>) => setKeys((now) => new Set([...now, ...more])),
    [],
  );
  const clear = useCallback(() => setKeys(new Set()), []);
  return useMemo(() => ({ keys, toggle, add, clear }), [keys, toggle, add, clear]);
}

/** The key of the image whose mark an event is about. */
export const keyMarked = (target: EventTarget): string | undefined =>
  target instanceof HTMLElement ? target.dataset.key : undefined;
