import { useId, useRef, useState } from "react";
import { useItemKeys } from "../study/use-item-keys.js";
import type { LedStudy, Note } from "./facilitator-client.js";

type NewNote = { id: string; text?: string; codes?: readonly string[] };

const newId = () => crypto.randomUUID();

/** Codes of one tap, a line to write, and what was noted so far, the latest first. */
export function Notes({
  codebook,
  notes,
  isOver,
  save,
}: {
  readonly codebook: LedStudy["codebook"];
  readonly notes: readonly Note[];
  readonly isOver: boolean;
  readonly save: (note: NewNote) => Promise<boolean>;
}) {
  const field = useId();
  const [text, setText] = useState("");
  // A repeated request is the same note.
  const id = useRef(newId());
  const tap = (code: string) => void save({ id: newId(), codes: [code] });
  useItemKeys(
    Object.fromEntries(
      codebook.slice(0, 9).map(({ code }, at) => [String(at + 1), () => tap(code)]),
    ),
  );
  const standing = notes.filter(({ text: own, codes }) => own !== "" || codes.length > 0);
  return (
    <>
      {codebook.length > 0 && (
        <>
          <h2>Codes</h2>
          <div className="codes">
            {codebook.map(({ code, description }, at) => (
              <button
                key={code}
                type="button"
                title={description ?? undefined}
                disabled={isOver}
                onClick={() => tap(code)}
              >
                {at < 9 && <kbd>{at + 1}</kbd>} {code}
              </button>
            ))}
          </div>
        </>
      )}
      <h2>Notes</h2>
      <form
        className="note"
        onSubmit={async (event) => {
          event.preventDefault();
          if (text.trim() === "" || !(await save({ id: id.current, text }))) return;
          id.current = newId();
          setText("");
        }}
      >
        <label htmlFor={field}>What they say or do</label>
        <input
          id={field}
          value={text}
          disabled={isOver}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" disabled={isOver || text.trim() === ""}>
          Note it
        </button>
      </form>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <ol className="notes" aria-label="Notes so far" tabIndex={0}>
        {standing.toReversed().map((note) => (
          <li key={note.id}>
            <span className="quiet">{clock(note.seconds)}</span>{" "}
            <span>
              {note.codes.map((code) => (
                <b key={code}>{code}</b>
              ))}{" "}
              {note.text}
            </span>
            <button
              type="button"
              className="small"
              disabled={isOver}
              aria-label={`Take back: ${note.codes.join(", ")} ${note.text}`.trim()}
              onClick={() => void save({ id: note.id, text: "", codes: [] })}
            >
              Take back
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Minutes and seconds since consent. */
const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};
