import { useCallback, useEffect, useRef, useState } from "react";
import { howJoined, onlyLooks } from "./how-joined.js";
import { keepSession, keptAnswer, keptSession } from "./session-store.js";
import { Background } from "./steps/background.js";
import { Consent } from "./steps/consent.js";
import { End, type EndKind } from "./steps/end.js";
import { EraseAnswers } from "./steps/erase-answers.js";
import { Items } from "./steps/items.js";
import { LedItems } from "./steps/led-items.js";
import { OutsideId } from "./steps/outside-id.js";
import { PreviewBar } from "./steps/preview-bar.js";
import { SaveAnswers } from "./steps/save-answers.js";
import {
  type Finished,
  type Joined,
  Refused,
  type StudyClient,
  type StudyIntroduction,
} from "./study-client.js";
import { languages, WordsContext } from "./words/words.js";

type Step =
  | {
      readonly name:
        | "joining"
        | "outside-id"
        | "looking"
        | "consent"
        | "background"
        | "items"
        | "failed";
    }
  | {
      readonly name: "end";
      readonly kind: EndKind;
      readonly finished?: Finished;
      readonly message?: string;
    };

/** How somebody comes from a panel that the study itself describes. */
async function byPanel(client: StudyClient): Promise<object | undefined> {
  if (location.search === "") return undefined;
  const study = await client.introduction().then(
    (found) => found.study,
    () => undefined,
  );
  return study?.panel && howJoined(location, study.panel);
}

/** Tells whether answers are kept at the end: of a page that was left and is opened again they are. */
const hasAnswers = (step: Step): boolean =>
  step.name === "end" && ["finished", "left", "refused"].includes(step.kind);

/** One thing at a time: joining, consent, questions about the person, items, the end. */
export function StudyPage({ client }: { readonly client: StudyClient }) {
  const [study, setStudy] = useState<StudyIntroduction>();
  const [participant, setParticipant] = useState<string>();
  const [step, setStep] = useState<Step>({ name: "joining" });
  const [isAway, setAway] = useState(false);
  /** Whether something may be kept of whoever looks. */
  const hasAgreed = useRef(false);
  const begun = useRef(false);
  const words = languages[study?.language ?? navigator.language.slice(0, 2)] ?? languages.en;

  const fail = useCallback((error: unknown) => {
    if (error instanceof Refused) {
      setStep({ name: "end", kind: "refused", finished: error.end, message: error.message });
    } else {
      // For who runs the study: it would tell a participant nothing.
      console.warn(error);
      setStep({ name: "failed" });
    }
  }, []);

  const introduce = useCallback((shown: StudyIntroduction) => {
    setStudy(shown);
    document.title = shown.title;
    document.documentElement.lang = shown.language;
  }, []);

  const enter = useCallback(
    ({ participant: pseudonym, session, stage, study: joined }: Joined, by?: object) => {
      client.session = session;
      keepSession(session, by);
      setParticipant(pseudonym);
      introduce(joined);
      hasAgreed.current = stage !== "consent";
      setStep({ name: stage });
    },
    [client, introduce],
  );

  const join = useCallback(
    (by: object) => client.join(by).then((joined) => enter(joined, by), fail),
    [client, enter, fail],
  );

  const begin = useCallback(async () => {
    if (onlyLooks(location)) {
      try {
        introduce((await client.introduction()).study);
        return setStep({ name: "looking" });
      } catch (error) {
        return fail(error);
      }
    }
    const by = client.page?.by ?? (await byPanel(client)) ?? howJoined(location);
    const kept = by !== undefined && "resume" in by ? undefined : keptSession(by);
    if (kept !== undefined) {
      try {
        return enter(await client.join({ resume: kept }), by);
      } catch (error) {
        if (!(error instanceof Refused)) return fail(error);
        // A session of another study, or of one that was left.
        keepSession(undefined, by);
      }
    }
    if (by === undefined) setStep({ name: "outside-id" });
    else await join(by);
  }, [client, enter, introduce, join, fail]);

  const leave = async (erase: boolean) => {
    // Who erases their answers keeps the code that they saw.
    const { code, redirect } = (step.name === "end" && step.finished) || {};
    const seen = { ...(code && { code }), ...(redirect && { redirect }) };
    try {
      const finished = { ...(await client.withdraw(erase)), ...seen };
      setStep({ name: "end", kind: erase ? "erased" : "left", finished });
    } catch (error) {
      fail(error);
    }
  };

  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    client.onAway = setAway;
    // An invitation that is opened where the page stands already changes the part behind "#" alone.
    addEventListener("hashchange", () => location.reload());
    void begin();
  }, [client, begin]);

  if (words === undefined) return null;
  const ItemsOf = study?.moderated === true ? LedItems : Items;
  return (
    <WordsContext value={words}>
      <div className="study">
        {isAway && (
          <p className="notice away" role="alert">
            {keptAnswer(client.session) === undefined ? words.away : words.saved}
          </p>
        )}
        {study?.preview !== undefined && (
          <PreviewBar
            ends={study.preview}
            onBack={() => void begin()}
            onEnd={(name, { message, ...finished }) => {
              const isOwn = name === "finished" || name === "left" || name === "declined";
              const kind = isOwn ? name : "refused";
              setStep({ name: "end", kind, finished, ...(message !== undefined && { message }) });
            }}
          />
        )}
        {study !== undefined && step.name !== "items" && (
          <header>
            <h1>{study.title}</h1>
          </header>
        )}
        {step.name === "joining" && <p role="status">{words.loading}</p>}
        {step.name === "failed" && (
          <main>
            <div className="notice" role="alert">
              <p>{words.broken}</p>
              <button type="button" onClick={() => void begin()}>
                {words.again}
              </button>
              {hasAgreed.current && (
                <EraseAnswers isInFile={client.page !== undefined} erase={() => void leave(true)} />
              )}
            </div>
          </main>
        )}
        {step.name === "outside-id" && <OutsideId join={(by) => void join(by)} />}
        {step.name === "looking" && study !== undefined && <Consent study={study} />}
        {step.name === "consent" && study !== undefined && (
          <Consent
            study={study}
            participant={participant}
            decide={async (agreed) => {
              try {
                const finished = await client.consent(study.consent, agreed);
                hasAgreed.current = agreed;
                if (!agreed) return setStep({ name: "end", kind: "declined", finished });
                // Whoever is not let in hears why when they ask for an item.
                const isAsked = finished.accepted !== false && study.background.length > 0;
                setStep({ name: isAsked ? "background" : "items" });
              } catch (error) {
                fail(error);
              }
            }}
          />
        )}
        {step.name === "background" && study !== undefined && (
          <Background
            questions={study.background}
            onLeave={(erase) => void leave(erase)}
            send={async (answers) => {
              try {
                await client.background(answers);
                setStep({ name: "items" });
              } catch (error) {
                fail(error);
              }
            }}
          />
        )}
        {step.name === "items" && study !== undefined && (
          <ItemsOf
            client={client}
            study={study}
            onFail={fail}
            onEnd={async () => {
              try {
                setStep({ name: "end", kind: "finished", finished: await client.finish() });
              } catch (error) {
                fail(error);
              }
            }}
            onLeave={(erase) => void leave(erase)}
          />
        )}
        {step.name === "end" && (
          <End
            kind={step.kind}
            study={study}
            participant={participant}
            finished={step.finished}
            message={step.message}
            isInFile={client.page !== undefined}
            onErase={() => void leave(true)}
          />
        )}
        {client.page !== undefined && (step.name === "items" || hasAnswers(step)) && (
          <SaveAnswers page={client.page} isAtEnd={step.name === "end"} />
        )}
      </div>
    </WordsContext>
  );
}
