import { type ReactNode, useEffect, useState } from "react";
import { PlaceContext } from "./frame.js";
import { KeysButton } from "./keys.js";
import { ThemeButton } from "./theme-button.js";

/** What stays while pages change: the bar, with the place of the page that is shown, and the side bar. */
export function Shell({
  brand,
  tools,
  side,
  address,
  children,
}: {
  readonly brand: ReactNode;
  /** What the bar has beside colours and keys. */
  readonly tools: ReactNode;
  readonly side: ReactNode;
  /** Where the reader is: a side bar that was opened over a narrow page closes when it changes. */
  readonly address: string;
  readonly children: ReactNode;
}) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever has gone on needs it no more
  useEffect(() => setOpen(false), [address]);
  return (
    <div className="shell">
      <header className="bar">
        <button
          type="button"
          className="menu-button plain"
          aria-label="Menu"
          aria-expanded={isOpen}
          aria-controls="side"
          onClick={() => setOpen(!isOpen)}
        >
          <svg width="16" height="16" aria-hidden="true" className="icon">
            <path d="M1 3h14M1 8h14M1 13h14" stroke="currentColor" strokeWidth="1.5" />
          </svg>
        </button>
        {brand}
        <div className="place" ref={setPlace} />
        {tools}
        <KeysButton />
        <ThemeButton />
      </header>
      <nav
        id="side"
        className="side"
        aria-label="Studio"
        data-open={isOpen}
        onKeyDown={({ key }) => key === "Escape" && setOpen(false)}
      >
        {side}
      </nav>
      <PlaceContext value={place}>{children}</PlaceContext>
    </div>
  );
}
