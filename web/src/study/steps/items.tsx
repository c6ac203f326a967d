import { useCallback, useEffect, useRef, useState } from "react";
import { useOutbox } from "../outbox.js";
import { keepAnswer } from "../session-store.js";
import type {
  Draft,
  EarlierItem,
  Feedback,
  NextItem,
  StudyClient,
  StudyIntroduction,
} from "../study-client.js";
import { useBrowserBack } from "../use-browser-back.js";
import { useDrafts } from "../use-drafts.js";
import { useItemKeys } from "../use-item-keys.js";
import { filled, useWords } from "../words/words.js";
import { ItemScreen } from "./item-screen.js";
import { Note } from "./note.js";
import { Paragraphs } from "./paragraphs.js";
import { type Learned, PracticeFeedback } from "./practice-feedback.js";

/** Items one after the other, with the way back, the way on and the way out. */
export function Items({
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
  const [next, setNext] = useState<NextItem>();
  /** Item the participant went back to. */
  const [earlier, setEarlier] = useState<EarlierItem>();
  /** Practice item that was answered, until somebody goes on from what is told of it. */
  const [learned, setLearned] = useState<Learned>();
  const [guided, setGuided] = useState<ReadonlySet<string>>(new Set());
  const { drafts, change, end } = useDrafts(client);
  const begunAt = useRef(Date.now());
  const doneAtBegin = useRef<number>(undefined);
  const isSending = useRef(false);
  const begun = useRef(false);

  const load = useCallback(async () => {
    try {
      const found = await client.next();
      if (found === undefined) return onEnd();
      for (const name of found.upcoming) void client.image(name).catch(() => {});
      doneAtBegin.current ??= found.progress.done;
      setEarlier(undefined);
      setNext(found);
    } catch (error) {
      onFail(error);
    }
  }, [client, onEnd, onFail]);

  const onFeedback = useCallback(
    async (assignment: string, feedback: Feedback) =>
      setLearned({ shown: await client.earlier(assignment), feedback }),
    [client],
  );
  const send = useOutbox(client, { onFail, onFeedback });
  const deliver = useCallback(async () => {
    if (await send()) await load();
  }, [send, load]);

  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void deliver();
  }, [deliver]);

  const shown: EarlierItem | undefined = earlier ?? next;
  const draft = (shown && (drafts[shown.assignment] ?? shown.draft)) ?? {};
  const { step = 0 } = draft;
  const given = draft.answer ?? shown?.answer ?? undefined;
  const note = draft.note ?? shown?.note ?? "";
  const revise = (part: Draft) => {
    if (shown !== undefined) change(shown.assignment, { ...draft, ...part });
  };
  const submit = async (body: object) => {
    if (shown === undefined || isSending.current) return;
    isSending.current = true;
    const noted = note.trim() === "" ? {} : { note: note.trim() };
    keepAnswer(client.session, { assignment: shown.assignment, ...body, ...noted });
    await end(shown.assignment);
    await deliver();
    isSending.current = false;
  };
  const goBack = async (name: string) => {
    try {
      setEarlier(await client.earlier(name));
    } catch (error) {
      onFail(error);
    }
  };
  const before = shown?.before ?? null;
  const toBefore = before === null ? undefined : () => void goBack(before);
  const backInItem = step > 0 ? () => revise({ step: step - 1 }) : toBefore;
  const back = learned === undefined ? backInItem : undefined;
  const keep = (of: EarlierItem) => {
    const { answer = null } = of;
    if (note === (of.note ?? "")) setEarlier(undefined);
    else void submit(answer === null ? { skipped: true } : { answer });
  };
  useBrowserBack(back);
  useItemKeys(back === undefined ? {} : { Backspace: back });

  const practised = learned && study.blocks.find(({ name }) => name === learned.shown.block);
  if (learned !== undefined && practised !== undefined) {
    return (
      <PracticeFeedback
        key={learned.shown.assignment}
        client={client}
        block={practised}
        learned={learned}
        place={filled(words.practice, { ...learned.shown.practice })}
        onContinue={() => setLearned(undefined)}
        onLeave={onLeave}
      />
    );
  }
  if (shown === undefined || next === undefined) return <p role="status">{words.loading}</p>;
  const block = study.blocks.find(({ name }) => name === shown.block);
  if (block === undefined) return null;
  if (block.guide !== undefined && !guided.has(block.name)) {
    return (
      <main>
        <h1>{study.title}</h1>
        <Paragraphs text={block.guide} />
        <button
          type="button"
          className="main"
          onClick={() => setGuided(new Set([...guided, block.name]))}
        >
          {words.continue}
        </button>
      </main>
    );
  }
  const place =
    shown.practice === undefined
      ? filled(words.progress, { done: shown.number, total: next.progress.total })
      : filled(words.practice, shown.practice);
  const minutes = minutesLeft(next.progress, {
    since: begunAt.current,
    before: doneAtBegin.current ?? 0,
  });
  return (
    <>
      <p className="visually-hidden" role="status">
        {place}
      </p>
      <ItemScreen
        key={shown.assignment}
        client={client}
        block={block}
        shown={shown}
        given={given}
        step={step}
        progress={next.progress}
        above={
          <>
            {next.warning === true && (
              <p className="notice" role="alert">
                {words.moreCare} {next.endsEarly === true && words.endsEarly}
              </p>
            )}
            {shown.practice !== undefined && <p className="notice">{words.practiceHint}</p>}
          </>
        }
        pace={
          <p className="quiet">
            {place}
            {minutes !== undefined && `, ${filled(words.minutesLeft, { minutes })}`}
          </p>
        }
        back={
          <button type="button" onClick={back} disabled={back === undefined}>
            {words.back} <kbd>{words.backKey}</kbd>
          </button>
        }
        note={<Note key={shown.assignment} text={note} onText={(text) => revise({ note: text })} />}
        onStep={(to) => revise({ step: to })}
        onDraft={(answer) => revise({ answer })}
        submit={(answer, timing) => void submit({ answer, ...timing })}
        skip={(timing) => void submit({ skipped: true, ...timing })}
        keep={earlier && (() => keep(earlier))}
        onLeave={onLeave}
      />
    </>
  );
}

/** From the pace so far; nothing is said before five answers. */
function minutesLeft(
  { done, total }: NextItem["progress"],
  { since, before }: { readonly since: number; readonly before: number },
): number | undefined {
  const answered = done - before;
  if (answered < 5) return undefined;
  return Math.max(1, Math.round(((Date.now() - since) / answered / 60_000) * (total - done)));
}
