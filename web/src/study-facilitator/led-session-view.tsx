import { useCallback, useState } from "react";
import { protocolViews } from "../study/protocols/views.js";
import { ItemKeysContext, useItemKeys } from "../study/use-item-keys.js";
import type { LedStudy, Session, SessionClient } from "./facilitator-client.js";
import { Notes } from "./notes.js";
import { Transcripts } from "./transcripts.js";
import { useRepeated } from "./use-repeated.js";

const nothing = () => {};

/** Shows what the participant sees, the way on and back, and notes beside it. */
export function LedSessionView({
  study,
  client,
}: {
  readonly study: LedStudy;
  readonly client: SessionClient;
}) {
  const [session, setSession] = useState<Session>();
  const [problem, setProblem] = useState<string>();
  const fail = useCallback(
    (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    [],
  );
  const refresh = useCallback(() => client.read().then(setSession, fail), [client, fail]);
  useRepeated(refresh, { every: 700 });
  /** Resolves with whether it was taken. */
  const act = useCallback(
    async (work: Promise<unknown>): Promise<boolean> => {
      try {
        await work;
        setProblem(undefined);
        await refresh();
        return true;
      } catch (error) {
        fail(error);
        return false;
      }
    },
    [refresh, fail],
  );
  const steer = (to: "next" | "back" | "skip") =>
    void act(to === "next" ? onward(client) : client.steer(to));
  useItemKeys({ ArrowRight: () => steer("next"), ArrowLeft: () => steer("back") });
  if (session === undefined) return <p role="status">{problem ?? "Loading …"}</p>;
  const { stage, step, steps = 1, progress } = session;
  const isOver = stage === "left" || stage === "finished";
  return (
    <div className="led">
      <section aria-labelledby="seen" className="study">
        <h2 id="seen">What {session.participant} sees</h2>
        <Seen study={study} client={client} session={session} />
      </section>
      <section aria-label="Lead and note" className="lead-and-note">
        <div className="choices">
          <button type="button" onClick={() => steer("back")} disabled={stage === "left"}>
            <kbd>←</kbd> Back
          </button>
          <button type="button" className="main" onClick={() => steer("next")} disabled={isOver}>
            Next <kbd>→</kbd>
          </button>
          <button type="button" onClick={() => steer("skip")} disabled={isOver}>
            Skip
          </button>
        </div>
        <p className="quiet" role="status">
          {progress.done} of {progress.total} answered
          {steps > 1 && `, step ${step + 1} of ${steps}`}
        </p>
        {problem !== undefined && (
          <p className="notice" role="alert">
            {problem}
          </p>
        )}
        <Notes
          codebook={study.codebook}
          notes={session.notes}
          isOver={stage === "left"}
          save={(note) => act(client.note(note))}
        />
        <Transcripts
          transcripts={session.transcripts}
          take={(transcript) => act(client.transcript(transcript))}
        />
      </section>
    </div>
  );
}

/** @throws Error where the participant has not answered what is on their page, as it stands now. */
async function onward(client: SessionClient): Promise<Session> {
  const { stage, step, steps = 1, attempt } = await client.read();
  if (stage === "items" && step + 1 === steps && attempt === 0) {
    throw new Error("They have not answered yet. Skip goes on without an answer.");
  }
  return client.steer("next");
}

/** The participant's item as they see it, with their answer so far; nothing in it can be changed. */
function Seen({
  study,
  client,
  session: { stage, step, assignment, block: name, protocol = "", item, ...session },
}: {
  readonly study: LedStudy;
  readonly client: SessionClient;
  readonly session: Session;
}) {
  const block = study.blocks.find((one) => one.name === name);
  const View = protocolViews[protocol];
  if (stage === "left") return <p>They have left the study.</p>;
  if (stage === "finished") return <p>They have finished; their page shows the debrief.</p>;
  if (block === undefined || View === undefined || item === undefined) {
    return (
      <p>They have agreed to take part. Their first item comes when their page asks for it.</p>
    );
  }
  return (
    <>
      {session.models !== undefined && session.models.length > 0 && (
        <p>{session.models.map(({ label, model }) => `${label} ${model}`.trim()).join(", ")}</p>
      )}
      <ItemKeysContext value={false}>
        <fieldset disabled className="item mirror">
          <legend className="visually-hidden">The participant's page</legend>
          <View
            key={`${assignment} ${session.attempt}`}
            client={client}
            block={block}
            item={item}
            given={session.answer ?? undefined}
            step={step}
            onDraft={nothing}
            submit={nothing}
          />
        </fieldset>
      </ItemKeysContext>
      <p className="quiet" role="status">
        {session.skipped === true
          ? "Skipped."
          : session.answer == null
            ? "Not answered yet."
            : "Answered."}
      </p>
    </>
  );
}
