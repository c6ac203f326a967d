import { getStroke } from "perfect-freehand";
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from "react";
import { useWords } from "../words/words.js";

/** x and y from 0 to 1 of the sheet, pressure from 0 to 1, milliseconds since the first point. */
export type Stroke = readonly (readonly [number, number, number, number])[];

const side = 600;

/** How far one press of an arrow key moves the pen, of the sheet's side; with Shift, further. */
const pace = { small: 0.02, large: 0.1 };

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A sheet to draw on with a mouse, a finger, a pen, or the arrow keys. */
export function Sketch({
  strokes,
  change,
}: {
  readonly strokes: readonly Stroke[];
  readonly change: (strokes: readonly Stroke[]) => void;
}) {
  const words = useWords();
  const hint = useId();
  const begunAt = useRef<number>(undefined);
  const isDrawing = useRef(false);
  const sheet = useRef<SVGSVGElement>(null);
  // Else Chromium takes a stroke for a fling, and the next tap, wherever it is, for what stops it. React
  // listens to touches without a say in what becomes of them.
  useEffect(() => {
    const own = (event: TouchEvent) => event.preventDefault();
    sheet.current?.addEventListener("touchstart", own, { passive: false });
    return () => sheet.current?.removeEventListener("touchstart", own);
  }, []);
  const [pen, setPen] = useState({ x: 0.5, y: 0.5, isDown: false, isSeen: false });
  const pointAt = (x: number, y: number, pressure: number): Stroke[number] => {
    const on = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;
    begunAt.current ??= performance.now();
    return [on(x), on(y), on(pressure), Math.round(performance.now() - begunAt.current)];
  };
  const pointOf = ({ currentTarget, clientX, clientY, pressure }: PointerEvent<SVGSVGElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const [x, y] = [(clientX - left) / width, (clientY - top) / height];
    return pointAt(x, y, pressure === 0 ? 0.5 : pressure);
  };
  const begin = (point: Stroke[number]) => change([...strokes, [point]]);
  const extend = (point: Stroke[number]) =>
    change([...strokes.slice(0, -1), [...(strokes.at(-1) ?? []), point]]);
  const press = (event: KeyboardEvent) => {
    const arrow = arrows[event.key];
    if (arrow === undefined && event.key !== " ") return;
    // Elsewhere Space skips the item, and arrows scroll.
    event.preventDefault();
    event.stopPropagation();
    if (arrow === undefined) {
      if (!pen.isDown) begin(pointAt(pen.x, pen.y, 0.5));
      setPen({ ...pen, isDown: !pen.isDown, isSeen: true });
      return;
    }
    const step = event.shiftKey ? pace.large : pace.small;
    const within = (value: number) => Math.min(1, Math.max(0, value));
    const [x, y] = [within(pen.x + step * arrow[0]), within(pen.y + step * arrow[1])];
    if (pen.isDown) extend(pointAt(x, y, 0.5));
    setPen({ ...pen, x, y, isSeen: true });
  };
  return (
    <div className="sketch">
      <svg
        ref={sheet}
        viewBox={`0 0 ${side} ${side}`}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is drawn on by keys, too
        tabIndex={0}
        aria-label={words.sketchSheet}
        aria-describedby={hint}
        onKeyDown={press}
        onFocus={({ currentTarget }) =>
          setPen({ ...pen, isSeen: currentTarget.matches(":focus-visible") })
        }
        onBlur={() => setPen({ ...pen, isDown: false, isSeen: false })}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          isDrawing.current = true;
          begin(pointOf(event));
        }}
        onPointerMove={(event) => {
          if (isDrawing.current) extend(pointOf(event));
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
        {pen.isSeen && (
          <circle
            className={pen.isDown ? "pen down" : "pen"}
            cx={pen.x * side}
            cy={pen.y * side}
            r={10}
          />
        )}
      </svg>
      <p className="quiet keys" id={hint}>
        {words.sketchKeys}
      </p>
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
