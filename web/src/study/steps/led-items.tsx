import { useCallback, useEffect, useRef, useState } from "react";
import { useOutbox } from "../outbox.js";
import { keepAnswer, type SentAnswer } from "../session-store.js";
import type {
  Answer,
  EarlierItem,
  Feedback,
  Place,
  StudyClient,
  StudyIntroduction,
} from "../study-client.js";
import { useDrafts } from "../use-drafts.js";
import { filled, useWords } from "../words/words.js";
import { FeedbackText } from "./feedback-text.js";
import { ItemScreen } from "./item-screen.js";
import { Paragraphs } from "./paragraphs.js";

/** How often the page asks where the facilitator is, in milliseconds. */
const every = 400;

/** Items of a moderated session: the facilitator leads, the participant answers. */
export function LedItems({
  client,
  study,
  onEnd,
  onLeave,
  onFail,
}: {
  readonly client: StudyClient;
  readonly study: StudyIntroduction;
  readonly onEnd: () => void;
  readonly onLeave: (erase: boolean) => void;
  readonly onFail: (error: unknown) => void;
}) {
  const words = useWords();
  const [place, setPlace] = useState<Place>();
  const [shown, setShown] = useState<EarlierItem>();
  const [isSent, setSent] = useState(false);
  const draft = useRef<{ readonly assignment: string; readonly answer: Answer }>(undefined);
  /** What was told of practice items, by assignment. */
  const [told, setTold] = useState<Readonly<Record<string, Feedback>>>({});
  const onFeedback = useCallback(
    async (assignment: string, feedback: Feedback) =>
      setTold((known) => ({ ...known, [assignment]: feedback })),
    [],
  );
  const deliver = useOutbox(client, { onFail, onFeedback });
  const { drafts, change, end } = useDrafts(client);

  const send = useCallback(
    async (body: SentAnswer) => {
      draft.current = undefined;
      keepAnswer(client.session, body);
      await end(body.assignment);
      await deliver();
    },
    [client, end, deliver],
  );
  const follow = useCallback(
    async (next: Place, before: Place | undefined) => {
      if (before?.assignment === next.assignment && before.step === next.step) return;
      // What was written until now is kept, whatever comes next.
      if (draft.current !== undefined) await send(draft.current);
      if (next.assignment === null) return onEnd();
      if (before?.assignment !== next.assignment) {
        const found = await client.earlier(next.assignment);
        setShown(found);
        const { assignment, draft: left } = found;
        if (left?.answer !== undefined) draft.current = { assignment, answer: left.answer };
        setSent(found.answer !== undefined && found.answer !== null);
      }
      setPlace(next);
      window.scrollTo(0, 0);
    },
    [client, send, onEnd],
  );
  useEffect(() => {
    let isCurrent = true;
    let at: Place | undefined;
    const turn = async () => {
      try {
        const next = await client.place();
        await follow(next, at);
        at = next;
      } catch (error) {
        isCurrent = false;
        onFail(error);
      }
      if (isCurrent && at?.assignment !== null) timer = setTimeout(() => void turn(), every);
    };
    let timer = setTimeout(() => void deliver().then(turn), 0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [client, deliver, follow, onFail]);

  const assignment = shown?.assignment;
  const onDraft = (answer: Answer) => {
    if (assignment === undefined) return;
    const isEmpty = Object.values(answer).every(
      (member) => member === "" || JSON.stringify(member) === "{}",
    );
    draft.current = isEmpty ? undefined : { assignment, answer };
    change(assignment, { answer });
  };
  const skip = () => {
    if (assignment === undefined) return;
    setSent(true);
    void send({ assignment, skipped: true });
  };
  if (place === undefined || shown === undefined) return <p role="status">{words.loading}</p>;
  const block = study.blocks.find(({ name }) => name === shown.block);
  if (block === undefined) return null;
  const feedback = told[shown.assignment];
  return (
    <ItemScreen
      key={shown.assignment}
      client={client}
      block={block}
      shown={shown}
      given={(drafts[shown.assignment] ?? shown.draft)?.answer ?? shown.answer ?? undefined}
      step={place.step}
      progress={place.progress}
      above={
        <>
          {block.guide !== undefined && <Paragraphs text={block.guide} />}
          {shown.practice !== undefined && (
            <p className="notice">
              {filled(words.practice, shown.practice)}. {words.practiceHint}
            </p>
          )}
        </>
      }
      below={
        <div role="status">
          {feedback !== undefined && (
            <FeedbackText block={block} shown={shown} feedback={feedback} />
          )}
          <p className="quiet">{isSent ? words.ledSent : words.led}</p>
        </div>
      }
      onDraft={onDraft}
      submit={(answer) => {
        // The answer stands on the page until the facilitator goes on.
        const { draft: _, ...sent } = shown;
        setShown({ ...sent, answer });
        setSent(true);
        void send({ assignment: shown.assignment, answer });
      }}
      skip={skip}
      onLeave={onLeave}
    />
  );
}
