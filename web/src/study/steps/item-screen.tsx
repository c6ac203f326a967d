import { type ReactNode, useLayoutEffect, useMemo, useRef } from "react";
import { protocolViews } from "../protocols/views.js";
import { SightContext, soonest, useSight } from "../sight.js";
import type { Answer, Block, EarlierItem, NextItem, StudyClient } from "../study-client.js";
import { useItemKeys } from "../use-item-keys.js";
import { filled, useWords } from "../words/words.js";
import { Leave } from "./leave.js";

/** What is sent with an answer: milliseconds since the item was on the screen, where it was. */
export interface Timing {
  readonly milliseconds?: number;
}

/**
 * One item: how far the participant is, the item as its protocol shows it, the way past it and the way out. The
 * caller gives it the assignment as its key: each begins anew, with the focus at its beginning.
 */
export function ItemScreen({
  client,
  block,
  shown,
  given,
  step,
  progress: { done, total },
  pace,
  above,
  below,
  back,
  note,
  onStep,
  onDraft,
  submit,
  skip,
  keep,
  onLeave,
}: {
  readonly client: StudyClient;
  readonly block: Block;
  readonly shown: EarlierItem;
  /** The answer so far, sent or not. */
  readonly given: Answer | undefined;
  readonly step: number;
  readonly progress: NextItem["progress"];
  readonly pace?: ReactNode;
  readonly above?: ReactNode;
  readonly below?: ReactNode;
  readonly back?: ReactNode;
  readonly note?: ReactNode;
  readonly onStep?: (step: number) => void;
  readonly onDraft: (answer: Answer) => void;
  readonly submit: (answer: Answer, timing: Timing) => void;
  readonly skip: (timing: Timing) => void;
  /** Goes on from an item of before without another answer. */
  readonly keep?: (() => void) | undefined;
  readonly onLeave: (erase: boolean) => void;
}) {
  const words = useWords();
  const place = useRef<HTMLElement>(null);
  const begunAt = useRef(0);
  const { minimumSeconds } = block;
  const { wait, isReady, seenAt } = useSight({ step, minimumSeconds });
  const sight = useMemo(() => ({ wait, isReady }), [wait, isReady]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step begins at its beginning
  useLayoutEffect(() => {
    begunAt.current = performance.now();
    place.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [step]);
  const timing = (): Timing =>
    seenAt.current === undefined
      ? {}
      : { milliseconds: Math.round(performance.now() - seenAt.current) };
  const pass = keep ?? (() => skip(timing()));
  useItemKeys(isReady ? { " ": pass } : {});
  /** Whoever clicks twice on one item has not seen the next. */
  const unlessTwice = (work: () => void) => () => {
    if (performance.now() - begunAt.current >= soonest) work();
  };
  const View = protocolViews[shown.protocol];
  if (View === undefined) return null;
  return (
    <main className="item" ref={place} tabIndex={-1} aria-busy={!isReady}>
      <header>
        <progress value={done} max={total} aria-label={filled(words.progress, { done, total })} />
        {pace}
      </header>
      {above}
      <SightContext value={sight}>
        <View
          client={client}
          block={block}
          item={shown.item}
          given={given}
          step={step}
          onStep={onStep}
          onDraft={onDraft}
          submit={(answer) => submit(answer, timing())}
        />
      </SightContext>
      {minimumSeconds !== undefined && (
        <p className="quiet hold" aria-hidden={isReady}>
          {words.hold}
        </p>
      )}
      {below}
      <footer>
        {back}
        {keep !== undefined && (
          <button type="button" onClick={unlessTwice(keep)}>
            {words.keep} <kbd>{words.spaceKey}</kbd>
          </button>
        )}
        <button type="button" className="quiet-button" onClick={unlessTwice(() => skip(timing()))}>
          {words.skip} {keep === undefined && <kbd>{words.spaceKey}</kbd>}
        </button>
        {note}
        <Leave leave={onLeave} />
      </footer>
    </main>
  );
}
