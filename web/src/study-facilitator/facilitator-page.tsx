import { useCallback, useEffect, useState } from "react";
import { Frame } from "../shell/frame.js";
import { languages, WordsContext } from "../study/words/words.js";
import {
  type LedStudy,
  type ListedSession,
  readSessions,
  readStudy,
  SessionClient,
} from "./facilitator-client.js";
import { LedSessionView } from "./led-session-view.js";
import { useRepeated } from "./use-repeated.js";

/** Who takes part, and one session at a time to lead. */
export function FacilitatorPage() {
  const [study, setStudy] = useState<LedStudy>();
  const [sessions, setSessions] = useState<readonly ListedSession[]>([]);
  const [client, setClient] = useState<SessionClient>();
  const [problem, setProblem] = useState<string>();
  const fail = useCallback(
    (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    [],
  );
  useEffect(() => {
    readStudy().then(setStudy, fail);
  }, [fail]);
  const refresh = useCallback(
    () =>
      readSessions().then((found) => {
        setSessions(found);
        setProblem(undefined);
      }, fail),
    [fail],
  );
  useRepeated(refresh, { every: 2_000, isOn: client === undefined });
  const words = languages[study?.language ?? "en"] ?? languages.en;
  return (
    <Frame title={study?.title ?? "Session"} wide={client !== undefined}>
      {problem !== undefined && (
        <p className="notice" role="alert">
          {problem}
        </p>
      )}
      {study !== undefined && words !== undefined && client !== undefined && (
        <WordsContext value={words}>
          <p>
            <button type="button" onClick={() => setClient(undefined)}>
              All participants
            </button>
          </p>
          <LedSessionView study={study} client={client} />
        </WordsContext>
      )}
      {study !== undefined && client === undefined && (
        <>
          <h2>Participants</h2>
          {sessions.length === 0 && (
            <p className="quiet">Nobody has agreed to take part yet. This page looks again.</p>
          )}
          <ul className="sessions">
            {sessions.map(({ participant, stage, progress, consentedAt }) => (
              <li key={participant}>
                <button type="button" onClick={() => setClient(new SessionClient(participant))}>
                  <b>{participant}</b>
                  <span>
                    {stages[stage]}, {progress.done} of {progress.total}, since{" "}
                    {new Date(consentedAt).toLocaleTimeString()}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Frame>
  );
}

const stages: Readonly<Record<ListedSession["stage"], string>> = {
  waiting: "before the first item",
  items: "at work",
  finished: "finished",
  left: "left",
};
