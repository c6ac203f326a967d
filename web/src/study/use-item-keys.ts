import { createContext, useContext, useLayoutEffect, useRef } from "react";

/** Keys by what `KeyboardEvent.key` calls them, letters in lower case. */
export type ItemKeys = Readonly<Record<string, () => void>>;

/** Whether items hear keys: not where somebody only looks at them. */
export const ItemKeysContext = createContext(true);

/** Hears keys while an item is shown; what somebody writes into a field is theirs. */
export function useItemKeys(keys: ItemKeys): void {
  const current = useRef(keys);
  const isHearing = useContext(ItemKeysContext);
  useLayoutEffect(() => {
    current.current = keys;
  });
  // Before it is painted: a key that is pressed as soon as an item is seen must not get lost.
  useLayoutEffect(() => {
    if (!isHearing) return;
    const hear = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const { target } = event;
      if (!(target instanceof Element) || document.querySelector("dialog[open]") !== null) return;
      if (target.matches("textarea, select, input:not([type=checkbox]):not([type=radio])")) return;
      // Space presses the button that has the focus.
      if (event.key === " " && target.matches("button, summary, input, a")) return;
      const run = current.current[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    window.addEventListener("keydown", hear);
    return () => window.removeEventListener("keydown", hear);
  }, [isHearing]);
}
