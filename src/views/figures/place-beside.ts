import { textWidth } from "./text-width.js";

/** A point in pixels. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Half the width and height of a mark, with air around it. */
const markReach = 7;
const tall = Math.sqrt(3) / 2;
/** Twelve directions, from the right against the clock. */
const around = [
  [1, 0],
  [tall, 0.5],
  [0.5, tall],
  [0, 1],
  [-0.5, tall],
  [-tall, 0.5],
  [-1, 0],
  [-tall, -0.5],
  [-0.5, -tall],
  [0, -1],
  [0.5, -tall],
  [tall, -0.5],
] as const;
const rings = [14, 21, 29, 38];

/**
 * Where the middle of each label stands beside its point: as near as it can, at the right first, so that
 * labels cover neither each other nor marks. Where there is no such place it covers as few as it can.
 *
 * @param points with the label of each, one after the other
 * @param marks all that is drawn, the points themselves among it
 */
export function placeBeside<Labelled extends Point & { readonly text: string }>(
  points: readonly Labelled[],
  marks: readonly Point[],
  fontSize: number,
): Labelled[] {
  const placed: Labelled[] = [];
  for (const point of points) {
    const halfWidth = textWidth(point.text, fontSize) / 2;
    const halfHeight = fontSize / 2;
    const covered = ({ x, y }: Point) =>
      marks.filter(
        (mark) =>
          Math.abs(mark.x - x) < halfWidth + markReach &&
          Math.abs(mark.y - y) < halfHeight + markReach,
      ).length +
      placed.filter(
        (other) =>
          Math.abs(other.x - x) < halfWidth + textWidth(other.text, fontSize) / 2 + 2 &&
          Math.abs(other.y - y) < fontSize + 1,
      ).length;
    const places = rings.flatMap((ring) =>
      around.map(([right, up]) => {
        const at = { x: point.x + ring * right, y: point.y - ring * up };
        return { at, covered: covered(at) };
      }),
    );
    const [first] = places;
    if (first === undefined) continue;
    const best = places.reduce(
      (least, place) => (place.covered < least.covered ? place : least),
      first,
    );
    placed.push({ ...point, ...best.at });
  }
  return placed;
}
