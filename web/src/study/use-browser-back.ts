import { useEffect, useRef } from "react";

/** Has the browser's own way back lead to the step before, while there is one, in place of off the page. */
export function useBrowserBack(back: (() => void) | undefined): void {
  const current = useRef(back);
  const canGoBack = back !== undefined;
  useEffect(() => {
    current.current = back;
  });
  useEffect(() => {
    if (!canGoBack) return;
    const stay = () => history.pushState("within the study", "");
    if (history.state === null) stay();
    const leave = () => {
      current.current?.();
      stay();
    };
    addEventListener("popstate", leave);
    return () => removeEventListener("popstate", leave);
  }, [canGoBack]);
}
