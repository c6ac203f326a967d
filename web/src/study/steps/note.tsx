import { useId, useState } from "react";
import { useWords } from "../words/words.js";

/** A field that opens when it is wanted: a word on an item, such as why somebody skips it. */
export function Note({
  text,
  onText,
}: {
  readonly text: string;
  readonly onText: (text: string) => void;
}) {
  const words = useWords();
  const field = useId();
  // It opens and closes by hand from then on.
  const [isOpen] = useState(text !== "");
  return (
    <details className="note" open={isOpen}>
      <summary>{words.note}</summary>
      <label htmlFor={field}>{words.noteHint}</label>
      <textarea
        id={field}
        rows={2}
        maxLength={10_000}
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
    </details>
  );
}
