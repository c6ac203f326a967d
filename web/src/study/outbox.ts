import { useCallback, useRef } from "react";
import { dropAnswer, keptAnswer } from "./session-store.js";
import { type Feedback, Refused, type StudyClient } from "./study-client.js";

/**
 * Sends what is kept until the server has it; an answer is dropped only where the server refuses it.
 *
 * @param options.onFeedback told what the server says of a practice item that was answered
 * @returns what does so; it resolves with true when nothing is left to send
 */
export function useOutbox(
  client: StudyClient,
  {
    onFail,
    onFeedback,
  }: {
    readonly onFail: (error: unknown) => void;
    readonly onFeedback: (assignment: string, feedback: Feedback) => Promise<void>;
  },
): () => Promise<boolean> {
  const sending = useRef(Promise.resolve(true));
  return useCallback(() => {
    const all = async (): Promise<boolean> => {
      for (;;) {
        const body = keptAnswer(client.session);
        if (body === undefined) return true;
        try {
          const { feedback } = await client.answer(body);
          dropAnswer(client.session, body);
          if (feedback !== undefined) await onFeedback(body.assignment, feedback);
        } catch (error) {
          if (error instanceof Refused) dropAnswer(client.session, body);
          if (error instanceof Refused && error.status === 404) continue;
          onFail(error);
          return false;
        }
      }
    };
    sending.current = sending.current.then(all, all);
    return sending.current;
  }, [client, onFail, onFeedback]);
}
