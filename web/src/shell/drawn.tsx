import type { ReactNode } from "react";
import type { DrawnFigure } from "../../../src/report/drawing/drawn-figure.js";

/** A figure as the report draws it, with its caption; what is given as children lies over it. */
export const Drawn = ({
  figure: { svg, title, caption },
  children,
}: {
  readonly figure: DrawnFigure;
  readonly children?: ReactNode;
}) => (
  <figure className="drawn">
    <div>
      <img src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`} alt={title} />
      {children}
    </div>
    <figcaption className="quiet">{caption}</figcaption>
  </figure>
);
