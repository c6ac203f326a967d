import { useCallback, useEffect, useRef, useState } from "react";
import { useOutbox } from "../outbox.js";
import { keepAnswer } from "../session-store.js";
import type { NextItem, StudyClient, StudyIntroduction } from "../study-client.js";
import { useItemKeys } from "../use-item-keys.js";
import { filled, useWords } from "../words/words.js";
import { ItemScreen, type ShownItem } from "./item-screen.js";
import { Note } from "./note.js";
import { Paragraphs } from "./paragraphs.js";

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
  const [earlier, setEarlier] = useState<ShownItem>();
  const [guided, setGuided] = useState<ReadonlySet<string>>(new Set());
  /** What somebody wrote beside an item, such as why they skip it. */
  const [notes, setNotes] = useState<Readonly<Record<string, string>>>({});
  const [history, setHistory] = useState<readonly string[]>([]);
  const shownAt = useRef(0);
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
      shownAt.current = performance.now();
      setEarlier(undefined);
      setNext(found);
    } catch (error) {
      onFail(error);
    }
  }, [client, onEnd, onFail]);

  const send = useOutbox(client, onFail);
  const deliver = useCallback(async () => {
    if (await send()) await load();
  }, [send, load]);

  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void deliver();
  }, [deliver]);

  const shown: ShownItem | undefined = earlier ?? next;
  const assignment = shown?.assignment;
  const note = assignment === undefined ? "" : (notes[assignment] ?? shown?.note ?? "");
  const submit = useCallback(
    async (given: object) => {
      if (shown === undefined || isSending.current) return;
      isSending.current = true;
      const milliseconds = Math.round(performance.now() - shownAt.current);
      const noted = note.trim() === "" ? {} : { note: note.trim() };
      keepAnswer(client.session, {
        assignment: shown.assignment,
        ...given,
        ...noted,
        milliseconds,
      });
      setHistory((names) => [
        ...names.filter((name) => name !== shown.assignment),
        shown.assignment,
      ]);
      await deliver();
      isSending.current = false;
    },
    [client, shown, note, deliver],
  );
  const back = useCallback(async () => {
    const at = earlier === undefined ? history.length : history.indexOf(earlier.assignment);
    const name = history[at - 1];
    if (name === undefined) return;
    try {
      const found = await client.earlier(name);
      shownAt.current = performance.now();
      setEarlier(found);
    } catch (error) {
      onFail(error);
    }
  }, [client, history, earlier, onFail]);

  useItemKeys({ Backspace: () => void back() });

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
  const { done, total } = next.progress;
  const minutes = minutesLeft(next.progress, {
    since: begunAt.current,
    before: doneAtBegin.current ?? 0,
  });
  return (
    <ItemScreen
      client={client}
      block={block}
      shown={shown}
      progress={next.progress}
      pace={
        <p className="quiet">
          {filled(words.progress, { done: done + 1, total })}
          {minutes !== undefined && `, ${filled(words.minutesLeft, { minutes })}`}
        </p>
      }
      back={
        <button type="button" onClick={() => void back()} disabled={history.length === 0}>
          {words.back} <kbd>⌫</kbd>
        </button>
      }
      note={
        <Note
          key={shown.assignment}
          text={note}
          onText={(text) => setNotes({ ...notes, [shown.assignment]: text })}
        />
      }
      submit={(answer) => void submit({ answer })}
      skip={() => void submit({ skipped: true })}
      onLeave={onLeave}
    />
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
