import { type ReactNode, useEffect } from "react";
import { KeysButton } from "./keys.js";

/** Frame of every page's content: where it is, its heading, and a way past the links. */
export function Frame({
  title,
  heading = title,
  crumbs = [],
  wide = false,
  children,
}: {
  /** Title of the window. */
  readonly title: string;
  readonly heading?: ReactNode;
  /** The pages above it. */
  readonly crumbs?: readonly ReactNode[];
  /** Takes the whole width. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Touchstone`;
  }, [title]);
  return (
    <div className={wide ? "frame wide" : "frame"}>
      <header>
        <nav aria-label="Where you are">
          <ol>
            {crumbs.map((crumb, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the way to a page never changes its order
              <li key={at}>{crumb}</li>
            ))}
          </ol>
        </nav>
        <KeysButton />
        <h1>{heading}</h1>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
