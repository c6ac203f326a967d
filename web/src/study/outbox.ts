import { useCallback, useRef, useState } from "react";
import { keepAnswer, keptAnswer } from "./session-store.js";
import { Refused, type StudyClient } from "./study-client.js";

/** How long to wait before an answer is sent again that found no connection. */
const againAfter = 3_000;

/**
 * Sends what is kept until the server has it; an answer is never dropped.
 *
 * @returns whether the connection is gone, and `deliver`, which resolves when nothing is left to send
 */
export function useOutbox(client: StudyClient, onFail: (error: unknown) => void) {
  const [isOffline, setOffline] = useState(false);
  const sending = useRef(Promise.resolve(true));
  const deliver = useCallback(() => {
    const all = async (): Promise<boolean> => {
      for (;;) {
        const body = keptAnswer();
        if (body === undefined) return true;
        try {
          await client.answer(body);
          keepAnswer(undefined);
          setOffline(false);
        } catch (error) {
          if (error instanceof Refused && error.status < 500) {
            keepAnswer(undefined);
            if (error.status === 404) continue;
            onFail(error);
            return false;
          }
          setOffline(true);
          await new Promise((resolve) => setTimeout(resolve, againAfter));
        }
      }
    };
    sending.current = sending.current.then(all, all);
    return sending.current;
  }, [client, onFail]);
  return { isOffline, deliver };
}
