import { useCallback, useEffect, useRef, useState } from "react";
import { useOutbox } from "../outbox.js";
import { protocolViews } from "../protocols/views.js";
import { keepAnswer } from "../session-store.js";
import type {
  Answer,
  Assignment,
  NextItem,
  StudyClient,
  StudyIntroduction,
} from "../study-client.js";
import { useItemKeys } from "../use-item-keys.js";
import { filled, useWords } from "../words/words.js";
import { Leave } from "./leave.js";
import { Paragraphs } from "./paragraphs.js";

/** What is on the screen: the next item, or one that the participant went back to. */
type Shown = Assignment & { readonly answer?: Answer | null };

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
  const [earlier, setEarlier] = useState<Shown>();
  const [guided, setGuided] = useState<ReadonlySet<string>>(new Set());
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

  const outbox = useOutbox(client, onFail);
  const { isOffline } = outbox;
  const deliver = useCallback(async () => {
    if (await outbox.deliver()) await load();
  }, [outbox.deliver, load]);

  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void deliver();
  }, [deliver]);

  const shown: Shown | undefined = earlier ?? next;
  const submit = useCallback(
    async (given: object) => {
      if (shown === undefined || isSending.current) return;
      isSending.current = true;
      const milliseconds = Math.round(performance.now() - shownAt.current);
      keepAnswer({ assignment: shown.assignment, ...given, milliseconds });
      setHistory((names) => [
        ...names.filter((name) => name !== shown.assignment),
        shown.assignment,
      ]);
      await deliver();
      isSending.current = false;
    },
    [shown, deliver],
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

  const skip = useCallback(() => void submit({ skipped: true }), [submit]);
  useItemKeys({ " ": skip, Backspace: () => void back() });

  if (shown === undefined || next === undefined) return <p role="status">{words.loading}</p>;
  const block = study.blocks.find(({ name }) => name === shown.block);
  const View = protocolViews[shown.protocol];
  if (block === undefined || View === undefined) return null;
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
    <main className="item">
      <header>
        <progress value={done} max={total} aria-label={filled(words.progress, { done, total })} />
        <p className="quiet">
          {filled(words.progress, { done: done + 1, total })}
          {minutes !== undefined && `, ${filled(words.minutesLeft, { minutes })}`}
        </p>
      </header>
      {isOffline && (
        <p className="notice" role="alert">
          {words.saved}
        </p>
      )}
      <View
        key={shown.assignment}
        client={client}
        block={block}
        item={shown.item}
        given={shown.answer ?? undefined}
        submit={(answer) => void submit({ answer })}
      />
      <footer>
        <button type="button" onClick={() => void back()} disabled={history.length === 0}>
          {words.back} <kbd>⌫</kbd>
        </button>
        <button type="button" onClick={skip}>
          {words.skip} <kbd>␣</kbd>
        </button>
        <Leave leave={onLeave} />
      </footer>
    </main>
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
