import type { ReactNode } from "react";
import type { Led } from "../protocols/view.js";
import { protocolViews } from "../protocols/views.js";
import type { Answer, Assignment, Block, NextItem, StudyClient } from "../study-client.js";
import { useItemKeys } from "../use-item-keys.js";
import { filled, useWords } from "../words/words.js";
import { Leave } from "./leave.js";

/** An item on the screen, with what was answered to it before. */
export type ShownItem = Assignment & {
  readonly answer?: Answer | null;
  readonly note?: string;
};

/** One item: how far the participant is, the item as its protocol shows it, the way past it and the way out. */
export function ItemScreen({
  client,
  block,
  shown,
  progress: { done, total },
  pace,
  above,
  below,
  back,
  note,
  led,
  submit,
  skip,
  onLeave,
}: {
  readonly client: StudyClient;
  readonly block: Block;
  readonly shown: ShownItem;
  readonly progress: NextItem["progress"];
  readonly pace?: ReactNode;
  readonly above?: ReactNode;
  readonly below?: ReactNode;
  readonly back?: ReactNode;
  readonly note?: ReactNode;
  readonly led?: Led;
  readonly submit: (answer: Answer) => void;
  readonly skip: () => void;
  readonly onLeave: (erase: boolean) => void;
}) {
  const words = useWords();
  useItemKeys({ " ": skip });
  const View = protocolViews[shown.protocol];
  if (View === undefined) return null;
  return (
    <main className="item">
      <header>
        <progress value={done} max={total} aria-label={filled(words.progress, { done, total })} />
        {pace}
      </header>
      {above}
      <View
        key={shown.assignment}
        client={client}
        block={block}
        item={shown.item}
        given={shown.answer ?? undefined}
        led={led}
        submit={submit}
      />
      {below}
      <footer>
        {back}
        <button type="button" onClick={skip}>
          {words.skip} <kbd>␣</kbd>
        </button>
        {note}
        <Leave leave={onLeave} />
      </footer>
    </main>
  );
}
