import type { Garment, Person } from "../world/scene.js";
import type { Box, Canvas } from "./canvas.js";
import type { PlacedObject } from "./layout.js";
import type { PaintedObject } from "./painted-object.js";
import {
  childHeight,
  type FramedSprite,
  frame,
  garmentPart,
  type Part,
  partSprite,
  partsOf,
} from "./wardrobe.js";

type Drawn = Omit<PaintedObject, "visible">;

/** Draws a person where `object` stands, part by part; one object for each part. */
export async function drawPerson(
  canvas: Canvas,
  person: Person,
  object: PlacedObject,
  style: string,
): Promise<Drawn[]> {
  const height = object.size * (person.age === "child" ? childHeight : 1);
  const unit = height / frame.height;
  const corner = {
    x: object.centre - (frame.width * unit) / 2,
    // The soles lie six units above the frame's lower edge.
    y: object.baseline - height + 6 * unit,
  };
  const first = canvas.covered.length;
  const drawn: Drawn[] = [];
  for (const part of partsOf(person)) {
    const sprite = await partSprite(style, part);
    canvas.draw(sprite.levels, boxIn(corner, unit, sprite));
    drawn.push({ ...object, ...said(part) });
  }
  canvas.settle(first);
  return drawn;
}

/** Draws clothes side by side, those for the upper body and dresses on hangers. */
export async function drawClothes(
  canvas: Canvas,
  garments: readonly Garment[],
  object: PlacedObject,
  style: string,
): Promise<Drawn[]> {
  const first = canvas.covered.length;
  const drawn: Drawn[] = [];
  const room = { width: object.size / garments.length - 8, height: object.size * 0.72 };
  for (const [index, garment] of garments.entries()) {
    const part = garmentPart(garment);
    const sprite = await partSprite(style, part);
    const unit = Math.min(room.width / sprite.width, room.height / sprite.height, 1.25);
    const centre = ((index + 0.5) * object.size) / garments.length;
    const corner = {
      x: centre - (sprite.x + sprite.width / 2) * unit,
      y: object.size * 0.54 - (sprite.y + sprite.height / 2) * unit,
    };
    const placed = { ...object, kind: garment.kind, centre };
    if (part.slot === "upper") {
      const hanger: Part = {
        role: "body",
        kind: "hanger",
        drawing: "hanger",
        slot: "back",
        child: false,
      };
      const hangerSprite = await partSprite(style, hanger);
      canvas.draw(hangerSprite.levels, boxIn(corner, unit, hangerSprite));
      drawn.push({ ...placed, ...said(hanger) });
    }
    canvas.draw(sprite.levels, boxIn(corner, unit, sprite));
    drawn.push({ ...placed, ...said(part) });
  }
  canvas.settle(first);
  return drawn;
}

const boxIn = (corner: { x: number; y: number }, unit: number, sprite: FramedSprite): Box => ({
  x: corner.x + sprite.x * unit,
  y: corner.y + sprite.y * unit,
  width: sprite.width * unit,
  height: sprite.height * unit,
});

const said = ({ role, kind, palette, pattern }: Part) => ({
  role,
  kind,
  ...(palette === undefined ? {} : { colour: palette.name }),
  ...(pattern === undefined ? {} : { pattern }),
});
