import { useCallback, useEffect, useRef, useState } from "react";
import type { Draft, StudyClient } from "./study-client.js";

/** Milliseconds without a change after which a draft is sent. */
const pause = 500;

/**
 * Keeps what somebody has not sent yet at the server, so that a page that is loaded again finds it. One draft is
 * under way at a time, and the latest is sent.
 */
export function useDrafts(client: StudyClient) {
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const unsent = useRef(new Map<string, Draft>());
  const sending = useRef<Promise<void>>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  /** Sends what waits; resolves when the server has it, or does not take it. */
  const send = useCallback((): Promise<void> => {
    clearTimeout(timer.current);
    const all = async () => {
      for (const [assignment, draft] of unsent.current) {
        unsent.current.delete(assignment);
        // A draft that is refused is kept by the page alone.
        await client.keepDraft(assignment, draft).catch(() => {});
      }
    };
    sending.current ??= all().finally(() => {
      sending.current = undefined;
    });
    return sending.current;
  }, [client]);

  const change = useCallback(
    (assignment: string, draft: Draft) => {
      setDrafts((known) => ({ ...known, [assignment]: draft }));
      unsent.current.set(assignment, draft);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void send(), pause);
    },
    [send],
  );

  /** Forgets a draft that is about to be an answer; resolves when none of it is under way any more. */
  const end = useCallback(async (assignment: string) => {
    unsent.current.delete(assignment);
    setDrafts(({ [assignment]: _, ...others }) => others);
    await sending.current;
  }, []);

  useEffect(() => {
    const leave = () => document.visibilityState === "hidden" && void send();
    document.addEventListener("visibilitychange", leave);
    return () => document.removeEventListener("visibilitychange", leave);
  }, [send]);

  return { drafts, change, end };
}
