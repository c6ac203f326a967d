import { useLayoutEffect, useRef } from "react";
import { protocolViews } from "../protocols/views.js";
import { SightContext, soonest } from "../sight.js";
import type { Block, EarlierItem, Feedback, StudyClient } from "../study-client.js";
import { ItemKeysContext, useItemKeys } from "../use-item-keys.js";
import { useWords } from "../words/words.js";
import { FeedbackText } from "./feedback-text.js";
import { Leave } from "./leave.js";

/** What the page knows of a practice item that was answered. */
export interface Learned {
  readonly shown: EarlierItem;
  readonly feedback: Feedback;
}

const unanswerable = { wait: () => () => {}, isReady: false };

/** What was expected of a practice item, over the item as it was answered, until somebody goes on. */
export function PracticeFeedback({
  client,
  block,
  learned: { shown, feedback },
  place,
  onContinue,
  onLeave,
}: {
  readonly client: StudyClient;
  readonly block: Block;
  readonly learned: Learned;
  /** Which practice item it is, in words. */
  readonly place: string;
  readonly onContinue: () => void;
  readonly onLeave: (erase: boolean) => void;
}) {
  const words = useWords();
  const text = useRef<HTMLElement>(null);
  const begunAt = useRef(0);
  useLayoutEffect(() => {
    begunAt.current = performance.now();
    text.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
  /** Whoever presses twice on the item has not read this. */
  const goOn = () => {
    if (performance.now() - begunAt.current >= soonest) onContinue();
  };
  useItemKeys({ " ": goOn });
  const View = protocolViews[shown.protocol];
  return (
    <main className="item">
      <section className="feedback" ref={text} tabIndex={-1} aria-label={place}>
        <p className="quiet">{place}</p>
        <FeedbackText block={block} shown={shown} feedback={feedback} />
        <button type="button" className="main" onClick={goOn}>
          {words.continue} <kbd>{words.spaceKey}</kbd>
        </button>
      </section>
      <ItemKeysContext value={false}>
        <SightContext value={unanswerable}>
          <fieldset disabled className="answered">
            {View !== undefined && (
              <View
                client={client}
                block={block}
                item={shown.item}
                given={shown.answer ?? undefined}
                step={0}
                onDraft={() => {}}
                submit={() => {}}
              />
            )}
          </fieldset>
        </SightContext>
      </ItemKeysContext>
      <footer>
        <Leave leave={onLeave} />
      </footer>
    </main>
  );
}
