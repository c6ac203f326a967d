import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { z } from "zod";

/** One mark of a drawn plot, its place in pixels from the plot's origin. */
export interface SceneMark {
  readonly kind: string;
  readonly x: number;
  readonly y: number;
  readonly x2: number | undefined;
  readonly y2: number | undefined;
  readonly text: string;
  readonly fontSize: number;
  readonly align: string;
  readonly angle: number;
  readonly fill: string | undefined;
  readonly stroke: string | undefined;
  readonly dash: readonly number[];
  readonly shape: string | undefined;
  readonly opacity: number;
}

const number = z.number().optional();
const itemSchema = z.looseObject({
  x: number,
  y: number,
  x2: number,
  y2: number,
  width: number,
  height: number,
  dx: number,
  dy: number,
  text: z.union([z.string(), z.number(), z.array(z.string())]).optional(),
  fontSize: number,
  align: z.string().optional(),
  angle: number,
  fill: z.string().nullish(),
  stroke: z.string().nullish(),
  strokeDash: z.array(z.number()).optional(),
  shape: z.string().optional(),
  fillOpacity: number,
  opacity: number,
  items: z.array(z.unknown()).optional(),
});
const markSchema = z.looseObject({
  marktype: z.string(),
  items: z.array(z.unknown()).optional(),
});

/** All marks of a spec as they are drawn: what a reader sees, not what the spec says. */
export async function sceneOf(spec: TopLevelSpec): Promise<SceneMark[]> {
  const view = new View(parse(compile(spec).spec), { renderer: "none" });
  try {
    await view.runAsync();
    const { root } = z.looseObject({ root: z.unknown() }).parse(view.scenegraph());
    return marksIn(root, 0, 0);
  } finally {
    view.finalize();
  }
}

function marksIn(mark: unknown, left: number, top: number): SceneMark[] {
  const { marktype: kind, items = [] } = markSchema.parse(mark);
  return items.flatMap((each) => {
    const item = itemSchema.parse(each);
    const [x, y] = [left + (item.x ?? 0), top + (item.y ?? 0)];
    if (kind === "group") return (item.items ?? []).flatMap((child) => marksIn(child, x, y));
    const end = (own: number | undefined, size: number | undefined, start: number, at: number) =>
      own !== undefined ? start + own : size === undefined ? undefined : at + size;
    return {
      kind,
      x: x + (item.dx ?? 0),
      y: y + (item.dy ?? 0),
      x2: end(item.x2, item.width, left, x),
      y2: end(item.y2, item.height, top, y),
      text: String(item.text ?? ""),
      fontSize: item.fontSize ?? 11,
      align: item.align ?? "left",
      angle: item.angle ?? 0,
      fill: item.fill ?? undefined,
      stroke: item.stroke ?? undefined,
      dash: item.strokeDash ?? [],
      shape: item.shape,
      opacity: (item.opacity ?? 1) * (item.fillOpacity ?? 1),
    };
  });
}

/** Where a text is drawn, whatever it is part of. @throws RangeError where it isn't. */
export function textAt(scene: readonly SceneMark[], text: string): SceneMark {
  const found = scene.find((mark) => mark.kind === "text" && mark.text === text);
  if (found === undefined) throw new RangeError(`Expected "${text}" in the picture`);
  return found;
}

/** What value lies at a pixel, by the labels of an axis: read as a person would read it. */
export function axisReading(
  ticks: readonly SceneMark[],
  along: "x" | "y",
): (pixel: number) => number {
  const numbers = ticks
    .map((tick) => ({ at: tick[along], value: Number(tick.text.replace("−", "-")) }))
    .sort((a, b) => a.at - b.at);
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (first === undefined || last === undefined || first === last) {
    throw new RangeError("Expected an axis with two labels or more");
  }
  const step = (last.value - first.value) / (last.at - first.at);
  return (pixel) => first.value + (pixel - first.at) * step;
}

/** The labels of an axis: numbers in one line, below `x` or left of `y`. */
export function ticksOf(
  scene: readonly SceneMark[],
  along: "x" | "y",
  within: (at: SceneMark) => boolean,
) {
  const isTick = ({ kind, text, fontSize }: SceneMark) =>
    kind === "text" && fontSize === 12 && /^−?[\d.]+$/.test(text);
  const across = along === "x" ? "y" : "x";
  const [first, ...rest] = scene.filter((mark) => isTick(mark) && within(mark));
  return first === undefined
    ? []
    : [first, ...rest.filter((mark) => Math.abs(mark[across] - first[across]) < 1)];
}

/** Points of a colour: of their line, or where they have none of their filling. */
export const symbols = (scene: readonly SceneMark[], colour: string) =>
  scene.filter(({ kind, stroke, fill }) => kind === "symbol" && (stroke ?? fill) === colour);
