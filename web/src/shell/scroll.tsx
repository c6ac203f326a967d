import type { ReactNode } from "react";

/** What may be wider than the window, such as a table: it scrolls by itself, by keyboard as well. */
export const Scroll = ({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keyboard
  <section className="scroll" tabIndex={0} aria-label={label}>
    {children}
  </section>
);
