import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import { useListedKeys } from "./keys.js";

/** A place to go to, or something to do. */
export interface PaletteEntry {
  readonly title: string;
  /** What kind of thing it is, in a word or two. */
  readonly kind: string;
  readonly run: () => void;
}

const mostShown = 50;

/**
 * Finds pages and what can be done on this one by their words; Ctrl K opens it anywhere.
 *
 * @param options.found further entries for what is typed
 */
export function Palette({
  dialog,
  entries,
  found,
}: {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly entries: readonly PaletteEntry[];
  readonly found: (typed: string) => readonly PaletteEntry[];
}) {
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const keys = useListedKeys();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const [ofPage, setOfPage] = useState<readonly PaletteEntry[]>([]);
  useEffect(() => {
    const hear = (event: KeyboardEvent | globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (dialog.current?.open) dialog.current.close();
      else if (document.querySelector("dialog[open]") === null) dialog.current?.showModal();
    };
    window.addEventListener("keydown", hear);
    return () => window.removeEventListener("keydown", hear);
  }, [dialog]);
  /** Whatever opened it, it begins with nothing typed, and with the keys of the page as they are now. */
  const begin = () => {
    setTyped("");
    setAt(0);
    setOfPage(
      keys().flatMap(({ key, does, run }) =>
        run === undefined ? [] : [{ title: does, kind: `key ${key}`, run }],
      ),
    );
    input.current?.focus();
  };
  const words = typed.toLowerCase().split(/\s+/);
  const isMeant = ({ title, kind }: PaletteEntry) =>
    words.every((word) => `${title} ${kind}`.toLowerCase().includes(word));
  const shown = [
    ...[...entries, ...ofPage].filter(isMeant),
    ...(typed.trim() === "" ? [] : found(typed.trim())),
  ].slice(0, mostShown);
  const choose = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    dialog.current?.close();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") choose(shown[at]);
    else if (step === undefined) return;
    else if (shown.length > 0) setAt((at + step + shown.length) % shown.length);
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Search and commands"
      onFocus={({ target }) => target === dialog.current && input.current?.focus()}
      onToggle={({ newState }) => newState === "open" && begin()}
    >
      <input
        ref={input}
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={shown.length > 0 ? `${list}-${at}` : undefined}
        aria-label="Search runs, pages and commands"
        placeholder="Search runs, pages and commands"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={list} role="listbox" aria-label="Found" className="found">
        {shown.map((entry, place) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field above moves through it
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above hears the keys
          <div
            key={`${entry.kind} ${entry.title}`}
            id={`${list}-${place}`}
            role="option"
            aria-selected={place === at}
            onClick={() => choose(entry)}
          >
            {entry.title} <small>{entry.kind}</small>
          </div>
        ))}
      </div>
      {shown.length === 0 && <p className="quiet">Nothing is called that.</p>}
    </dialog>
  );
}
