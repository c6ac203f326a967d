import type { Random } from "touchstone-t2i/internal/core/random.js";
import { labPictureSize as side } from "../signature.js";
import type { Extra, Scene } from "../world/scene.js";
import type { Box } from "./canvas.js";

/** One object, where it is to be drawn. Its width and height bound a sprite of any aspect. */
export interface PlacedObject {
  readonly kind: string;
  readonly colour?: string;
  /** Index into the scene's extras; undefined for the subject. */
  readonly extra?: number;
  readonly centre: number;
  readonly baseline: number;
  readonly size: number;
}

/** Sizes in pixels of the longer side, before jitter. */
const sizes = { subject: 84, small: 25, medium: 42, large: 68 } as const;

/** Where an extra's foot stands and how distance scales it. */
const depths = {
  background: { low: 90, high: 102, scale: 0.82 },
  level: { low: 132, high: 170, scale: 1 },
  foreground: { low: 183, high: 190, scale: 1.15 },
} as const;

/** How far sizes are changed at random. */
const jitter = [0.92, 1.08] as const;

/** Length of the smallest thing that is ever painted, as a share of a picture's width. */
export const smallestThing = (sizes.small * depths.background.scale * jitter[0]) / side;

/**
 * Places a scene's objects at random as its words demand; the order is the order of drawing, from
 * the back to the front. Undefined where an extra found no free place in some tries.
 */
export function layOut(scene: Scene, random: Random): PlacedObject[] | undefined {
  const subject = placeSubject(scene, random);
  const placed: PlacedObject[] = [subject];
  for (const [index, extra] of scene.extras.entries()) {
    for (let copy = 0; copy < extra.count; copy++) {
      const object = placeExtra(extra, index, subject, placed, random);
      if (object === undefined) return undefined;
      placed.push(object);
    }
  }
  return placed.sort((a, b) => a.baseline - b.baseline);
}

function placeSubject(scene: Scene, random: Random): PlacedObject {
  const { subject: kind, person, display, extras } = scene;
  if (display !== undefined) return { kind, centre: side / 2, baseline: side, size: side };
  if (person !== undefined) {
    // Who stands alone is shown from near by; a child is drawn smaller in the same frame.
    const alone = extras.length === 0;
    return {
      kind,
      centre: alone ? random.between(78, 114) : subjectCentre(extras, random),
      baseline: alone ? random.between(184, 190) : random.between(168, 178),
      size: alone ? random.between(168, 186) : random.between(132, 144),
    };
  }
  const size = sizes.subject * random.between(...jitter);
  return {
    kind,
    centre: subjectCentre(extras, random),
    baseline: random.between(148, 158),
    size,
  };
}

function subjectCentre(extras: readonly Extra[], random: Random): number {
  const left = extras.some((extra) => extra.side === "left");
  const right = extras.some((extra) => extra.side === "right");
  if (left === right) return random.between(82, 110);
  return right ? random.between(48, 66) : random.between(126, 144);
}

function placeExtra(
  extra: Extra,
  index: number,
  subject: PlacedObject,
  placed: readonly PlacedObject[],
  random: Random,
): PlacedObject | undefined {
  const depth = depths[extra.depth ?? "level"];
  const size = sizes[extra.size ?? "medium"] * depth.scale * random.between(...jitter);
  for (let attempt = 0; attempt < 40; attempt++) {
    const centre = random.between(size / 2 + 2, side - size / 2 - 2);
    const object: PlacedObject = {
      kind: extra.kind,
      ...(extra.colour === undefined ? {} : { colour: extra.colour }),
      extra: index,
      centre,
      baseline: Math.max(random.between(depth.low, depth.high), size + 2),
      size,
    };
    if (sideFits(extra, centre, subject.centre) && placed.every((other) => apart(object, other))) {
      return object;
    }
  }
  return undefined;
}

function sideFits(extra: Extra, centre: number, subjectCentre: number): boolean {
  if (extra.side === undefined) return true;
  const offset = extra.side === "right" ? centre - subjectCentre : subjectCentre - centre;
  return offset > 34;
}

/** Objects may overlap a little, the way things do; never so much that one hides the other. */
function apart(a: PlacedObject, b: PlacedObject): boolean {
  const [boxA, boxB] = [boundsOf(a), boundsOf(b)];
  const width = Math.min(boxA.x + boxA.width, boxB.x + boxB.width) - Math.max(boxA.x, boxB.x);
  const height = Math.min(boxA.y + boxA.height, boxB.y + boxB.height) - Math.max(boxA.y, boxB.y);
  if (width <= 0 || height <= 0) return true;
  return (width * height) / Math.min(a.size, b.size) ** 2 < 0.22;
}

/** The square an object stands in; a person is slimmer. */
function boundsOf({ kind, centre, baseline, size }: PlacedObject): Box {
  const width = kind === "person" ? size * 0.45 : size;
  return { x: centre - width / 2, y: baseline - size, width, height: size };
}

/** The box of a sprite of the given aspect (width / height) that stands on the object's foot. */
export function boxOf({ centre, baseline, size }: PlacedObject, aspect: number): Box {
  const width = aspect >= 1 ? size : size * aspect;
  const height = aspect >= 1 ? size / aspect : size;
  return { x: centre - width / 2, y: baseline - height, width, height };
}

/** An object as it was drawn; of a person and of clothes each part is one. */
export interface PaintedObject extends PlacedObject {
  readonly role?: "body" | "garment" | "sign";
  readonly pattern?: string;
  /** The share of it that can be seen, in [0, 1]. */
  readonly visible: number;
}
