import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";

/** A key of a page, such as "j" or "ArrowLeft", and what it does, in a few words. */
export interface KeyBinding {
  readonly key: string;
  readonly does: string;
  /** Not given for a key that an element of the page handles itself. */
  readonly run?: () => void;
}

type Bindings = ReadonlySet<{ readonly current: readonly KeyBinding[] }>;
interface Registry {
  add(bindings: { readonly current: readonly KeyBinding[] }): () => void;
  /** Shows the list; undefined where nobody hears keys. */
  show?(): void;
  /** The keys of the page that is shown. */
  listed(): readonly KeyBinding[];
}

const KeyContext = createContext<Registry>({ add: () => () => {}, listed: () => [] });

/** Returns what lists the keys of the page that is shown. */
export const useListedKeys = () => useContext(KeyContext).listed;

/** Lists the keys of the page that is shown, for whoever has not heard of `?`. */
export function KeysButton() {
  const { show } = useContext(KeyContext);
  if (show === undefined) return null;
  return (
    <button type="button" className="keys-button plain" onClick={() => show()}>
      <kbd>?</kbd> Keys
    </button>
  );
}

/** Declares the keys of a page while it is shown; `?` lists them. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const current = useRef(bindings);
  useLayoutEffect(() => {
    current.current = bindings;
  });
  const { add } = useContext(KeyContext);
  useLayoutEffect(() => add(current), [add]);
}

const isWritten = (target: EventTarget | null) =>
  target instanceof Element && target.matches("input, textarea, select, [contenteditable]");

const names: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "Space",
};

/**
 * Hears the keys of whatever page is shown in it, and lists them in a dialog.
 *
 * @param options.general keys of every page, where the page itself has no other use for them
 */
export function Keys({
  general = [],
  children,
}: {
  readonly general?: readonly KeyBinding[];
  readonly children: ReactNode;
}) {
  const all = useRef<Set<{ readonly current: readonly KeyBinding[] }>>(new Set());
  const dialog = useRef<HTMLDialogElement>(null);
  const [listed, setListed] = useState<readonly KeyBinding[]>([]);
  const registry = useMemo(
    () => ({
      add(bindings: { readonly current: readonly KeyBinding[] }) {
        all.current.add(bindings);
        return () => void all.current.delete(bindings);
      },
      listed: () => flat(all.current),
      show() {
        setListed(flat(all.current));
        dialog.current?.showModal();
      },
    }),
    [],
  );
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isWritten(event.target)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      if (event.key === "?") {
        event.preventDefault();
        return registry.show();
      }
      const binding = [...flat(all.current), ...general].find(({ key }) => key === event.key);
      if (binding?.run === undefined || event.defaultPrevented) return;
      event.preventDefault();
      binding.run();
    };
    window.addEventListener("keydown", hear);
    return () => window.removeEventListener("keydown", hear);
  }, [registry, general]);
  return (
    <KeyContext value={registry}>
      {children}
      <dialog ref={dialog} aria-labelledby="keys-title">
        <h2 id="keys-title">Keys of this page</h2>
        <dl className="facts">
          {[...listed, ...general, helpKey].map(({ key, does }) => (
            <div key={key}>
              <dt>
                <kbd>{names[key] ?? key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </KeyContext>
  );
}

const helpKey: KeyBinding = { key: "?", does: "this list" };

const flat = (all: Bindings) => [...all].flatMap(({ current }) => current);
