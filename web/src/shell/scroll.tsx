import { type ReactNode, useRef } from "react";
import { csvLine } from "../../../src/tables/cell-table.js";
import { CopyButton } from "./copy-button.js";

/** A table that may be wider than the window: it scrolls by itself, by keyboard as well; its menu copies it whole. */
export function Scroll({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}) {
  const region = useRef<HTMLElement>(null);
  return (
    <div className="copied-table">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keyboard */}
      <section ref={region} className="scroll" tabIndex={0} aria-label={label}>
        {children}
      </section>
      <details className="more">
        <summary aria-label={`More of the table ${label}`}>⋯</summary>
        <div>
          <CopyButton text={() => csvOf(region.current)}>Copy as CSV</CopyButton>
        </div>
      </details>
    </div>
  );
}

/** The rows of a table as they are read; a cell over several columns stands in the first of them. */
const csvOf = (region: HTMLElement | null): string =>
  [...(region?.querySelectorAll("tr") ?? [])]
    .map((row) =>
      csvLine(
        [...row.cells].flatMap((cell) => [
          cell.innerText.replace(/\s+/g, " ").trim(),
          ...Array<string>(cell.colSpan - 1).fill(""),
        ]),
      ),
    )
    .join("");
