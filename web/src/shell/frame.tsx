import { createContext, type ReactNode, useContext, useEffect } from "react";
import { createPortal } from "react-dom";
import "./frame.css";
import "./parts.css";
import { KeysButton } from "./keys.js";

/** Where a page's way stands: in the bar of the shell around it; undefined for a page without one. */
export const PlaceContext = createContext<HTMLElement | null | undefined>(undefined);

/** Frame of every page's content: where it is, its heading, its tabs. */
export function Frame({
  title,
  heading = title,
  crumbs = [],
  tabs,
  wide = false,
  children,
}: {
  /** Title of the window. */
  readonly title: string;
  readonly heading?: ReactNode;
  /** The pages above it. */
  readonly crumbs?: readonly ReactNode[];
  /** Links to the other parts of what it is a part of. */
  readonly tabs?: ReactNode;
  /** Takes the whole width, for tables and galleries. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Touchstone`;
  }, [title]);
  const place = useContext(PlaceContext);
  const way = (
    <nav className="way" aria-label="Where you are">
      <ol>
        {crumbs.map((crumb, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the way to a page never changes its order
          <li key={at}>{crumb}</li>
        ))}
      </ol>
    </nav>
  );
  return (
    <div className={wide ? "frame wide" : "frame"}>
      {place === undefined && (
        <header className="steps">
          {way}
          <KeysButton />
        </header>
      )}
      {place && crumbs.length > 0 && createPortal(way, place)}
      <main id="content" tabIndex={-1}>
        <h1>{heading}</h1>
        {tabs}
        {children}
      </main>
    </div>
  );
}
