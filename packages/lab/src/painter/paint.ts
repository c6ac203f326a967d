import { append, smallestOf } from "touchstone-t2i/internal/core/arrays.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { labPictureSize, sign } from "../signature.js";
import type { Extra, Scene, Side } from "../world/scene.js";
import { backgroundOf } from "./background.js";
import { Canvas } from "./canvas.js";
import { drawClothes, drawPerson } from "./draw-people.js";
import { boxOf, layOut, type PaintedObject, type PlacedObject } from "./layout.js";
import { spriteOf } from "./sprites.js";

export interface Painting {
  readonly canvas: Canvas;
  readonly style: string;
  /** The scene with the sides that came about where none were asked for. */
  readonly scene: Scene;
  /** In the order of drawing; object i + 1 of `canvas.owners`. */
  readonly objects: readonly PaintedObject[];
}

/** A scene in which an object is less visible than this is not readable, and is laid out anew. */
const leastVisible = 0.6;

/**
 * Paints a scene. The seed alone decides the layout, so that two scenes that differ in one word
 * look alike in the rest.
 *
 * @param mostLayouts how many layouts are tried
 * @returns undefined where none of them shows every object to at least 60 %.
 */
export async function paint(
  scene: Scene,
  style: string,
  seed: string | number,
  mostLayouts = 200,
): Promise<Painting | undefined> {
  const background = await backgroundOf(scene.place, style, randomFrom(seed, "background"));
  for (let layout = 0; layout < mostLayouts; layout++) {
    const placed = layOut(scene, randomFrom(seed, "layout", layout));
    if (placed === undefined) continue;
    const canvas = new Canvas(background);
    const drawn: Omit<PaintedObject, "visible">[] = [];
    for (const object of placed) {
      if (object.extra === undefined && scene.person !== undefined) {
        append(drawn, await drawPerson(canvas, scene.person, object, style));
      } else if (object.extra === undefined && scene.display !== undefined) {
        append(drawn, await drawClothes(canvas, scene.display, object, style));
      } else {
        const levels = await spriteOf(style, object.kind, object.colour);
        const [largest] = levels;
        const aspect = largest === undefined ? 1 : largest.width / largest.height;
        canvas.draw(levels, boxOf(object, aspect));
        drawn.push(object);
      }
    }
    const visible = canvas.visibleShares();
    if (smallestOf(visible) < leastVisible) continue;
    sign(canvas);
    const objects = drawn.map((object, index) => ({ ...object, visible: visible[index] ?? 0 }));
    return { canvas, style, scene: withSides(scene, objects), objects };
  }
  return undefined;
}

/** Extras all of whose members stand clearly on one side of the subject have that side. */
function withSides(scene: Scene, objects: readonly PlacedObject[]): Scene {
  const subject =
    objects.find((object) => object.extra === undefined)?.centre ?? labPictureSize / 2;
  const extras = scene.extras.map((extra, index): Extra => {
    const offsets = objects
      .filter((object) => object.extra === index)
      .map((object) => object.centre - subject);
    const side: Side | undefined = offsets.every((offset) => offset > 20)
      ? "right"
      : offsets.every((offset) => offset < -20)
        ? "left"
        : undefined;
    return side === undefined ? extra : { ...extra, side };
  });
  return { ...scene, extras };
}
