import { getStroke } from "perfect-freehand";
import { type PointerEvent, useRef } from "react";
import { useWords } from "../words/words.js";

/** x and y from 0 to 1 of the sheet, pressure from 0 to 1, milliseconds since the first point. */
export type Stroke = readonly (readonly [number, number, number, number])[];

const side = 600;

/** A sheet to draw on with a mouse, a finger or a pen. */
export function Sketch({
  strokes,
  change,
}: {
  readonly strokes: readonly Stroke[];
  readonly change: (strokes: readonly Stroke[]) => void;
}) {
  const words = useWords();
  const begunAt = useRef<number>(undefined);
  const isDrawing = useRef(false);
  const pointOf = ({ currentTarget, clientX, clientY, pressure }: PointerEvent<SVGSVGElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const on = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;
    begunAt.current ??= performance.now();
    return [
      on((clientX - left) / width),
      on((clientY - top) / height),
      on(pressure === 0 ? 0.5 : pressure),
      Math.round(performance.now() - begunAt.current),
    ] as const;
  };
  return (
    <div className="sketch">
      <svg
        viewBox={`0 0 ${side} ${side}`}
        role="img"
        aria-label={words.sketch}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          isDrawing.current = true;
          change([...strokes, [pointOf(event)]]);
        }}
        onPointerMove={(event) => {
          if (!isDrawing.current) return;
          const last = strokes.at(-1) ?? [];
          change([...strokes.slice(0, -1), [...last, pointOf(event)]]);
        }}
        onPointerUp={() => {
          isDrawing.current = false;
        }}
        onPointerCancel={() => {
          isDrawing.current = false;
        }}
      >
        {strokes.map((stroke, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: strokes are only added and taken at the end
          <path key={at} d={outline(stroke)} />
        ))}
      </svg>
      <div className="choices">
        <button
          type="button"
          disabled={strokes.length === 0}
          onClick={() => change(strokes.slice(0, -1))}
        >
          {words.undo}
        </button>
        <button type="button" disabled={strokes.length === 0} onClick={() => change([])}>
          {words.clear}
        </button>
      </div>
    </div>
  );
}

/** The outline of a stroke as a path. */
function outline(stroke: Stroke): string {
  const points = stroke.map(([x, y, pressure]) => [x * side, y * side, pressure]);
  const [first, ...rest] = getStroke(points, { size: 8, thinning: 0.5 });
  if (first === undefined) return "";
  return `M${first.join(" ")}${rest.map((point) => `L${point.join(" ")}`).join("")}Z`;
}
