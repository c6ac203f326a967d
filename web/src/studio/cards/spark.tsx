import type { CardFigure } from "../../../../src/analysis/trust-card/trust-card-figure.js";
import { sparkShape, sparkSize } from "../../../../src/report/pages/spark-shape.js";

const { width, height, edge, middle } = sparkSize;

/** The interval that a figure is judged by: a circle where it holds, a square where it fails, a ring else. */
export function Spark({ figure }: { readonly figure: CardFigure }) {
  const shape = sparkShape(figure);
  if (shape === undefined) return null;
  const { value, low, high, ends } = shape;
  return (
    <svg
      className={`spark ${figure.status}`}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      <line className="axis" x1={edge} x2={width - edge} y1={middle} y2={middle} />
      {ends.map((end) => (
        <line key={end} className="expected" x1={end} x2={end} y1={1} y2={height - 1} />
      ))}
      <line className="interval" x1={low} x2={high} y1={middle} y2={middle} />
      {figure.status === "fails" ? (
        <rect x={value - 4} y={middle - 4} width={8} height={8} />
      ) : (
        <circle cx={value} cy={middle} r={4} />
      )}
    </svg>
  );
}
