import { useEffect } from "react";

/** Does something again and again, each time `every` milliseconds after the last has ended. */
export function useRepeated(
  work: () => Promise<unknown>,
  { every, isOn = true }: { readonly every: number; readonly isOn?: boolean },
): void {
  useEffect(() => {
    if (!isOn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCurrent = true;
    const turn = async () => {
      await work();
      if (isCurrent) timer = setTimeout(() => void turn(), every);
    };
    void turn();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [work, every, isOn]);
}
