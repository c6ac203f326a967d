import { z } from "zod";
import { labYaml } from "../package-file.js";
import { garmentKinds, signKinds } from "../world/people.js";
import type { Garment, Person } from "../world/scene.js";
import type { Box, Canvas } from "./canvas.js";
import type { PaintedObject, PlacedObject } from "./layout.js";
import { art, halvings, rasterise, type Sprite, trimmed } from "./sprites.js";

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

const names = z.array(z.string());
const palette = z.record(z.string(), z.string());

const wardrobe = z
  .object({
    frame: z.strictObject({ width: z.number(), height: z.number(), above: z.number() }),
    patterns: z.record(
      z.string(),
      z.strictObject({ size: z.tuple([z.number(), z.number()]), body: z.string() }),
    ),
    cloth: z.record(z.string(), palette),
    slots: names,
    areas: z.record(z.string(), z.string()),
    slotOf: z.record(z.string(), z.string()),
    loose: z.record(z.string(), z.string()),
    hidesHair: names,
    dyed: names,
    skinned: names,
    headSlots: names,
    child: z.strictObject({ height: z.number(), head: z.number() }),
    frowns: names,
  })
  .parse(labYaml("wardrobe.yaml"));

/** The frame that a person stands in; every part is drawn in its coordinates. */
const frame = wardrobe.frame;
/** How much lower a child's frame is. */
const childHeight = wardrobe.child.height;

/** A drawing to be laid into a person's frame. */
export interface Part {
  readonly role: "body" | "garment" | "sign";
  /** Its name in the truth. */
  readonly kind: string;
  readonly drawing: string;
  readonly slot: string;
  readonly palette?: { readonly of: "skin" | "hair" | "cloth"; readonly name: string };
  readonly pattern?: string;
  /** For a child: its head is larger, and so is what is on it. */
  readonly child: boolean;
}

/** Everything that a person is drawn of, from the back to the front. */
export function partsOf(person: Person): Part[] {
  const child = person.age === "child";
  const skin = { of: "skin", name: person.skin } as const;
  const hair = { of: "hair", name: person.hair } as const;
  const body = (kind: string, drawing: string, slot: string, of?: Part["palette"]): Part => ({
    role: "body",
    kind,
    drawing,
    slot,
    child,
    ...(of === undefined ? {} : { palette: of }),
  });
  const covered = person.signs.some((sign) => wardrobe.hidesHair.includes(sign));
  const cut = covered || person.cut === "bald" ? undefined : `hair-${person.cut}`;
  const frowning = person.signs.some((sign) => wardrobe.frowns.includes(sign));
  const parts = [
    ...(cut === "hair-long" ? [body("hair", "hair-long-back", "back", hair)] : []),
    body("body", "body", "body", skin),
    body("head", "head", "head", skin),
    ...(person.beard ? [body("hair", "beard", "hair", hair)] : []),
    ...(cut === undefined ? [] : [body("hair", cut, "hair", hair)]),
    body("face", frowning ? "face-frown" : "face-smile", "face"),
    ...(person.age === "older" ? [body("face", "face-older", "face", skin)] : []),
    ...person.garments.map((garment) => garmentPart(garment, child)),
    ...person.signs.map((sign): Part => {
      const area = signKinds.get(sign)?.area;
      return {
        role: "sign",
        kind: sign,
        drawing: slug(sign),
        slot: (area === undefined ? wardrobe.loose[sign] : wardrobe.areas[area]) ?? "above",
        child,
        ...(wardrobe.dyed.includes(sign)
          ? { palette: { of: "cloth", name: dyeOf(person) } as const }
          : {}),
        ...(wardrobe.skinned.includes(sign) ? { palette: skin } : {}),
      };
    }),
  ];
  return parts.sort((a, b) => wardrobe.slots.indexOf(a.slot) - wardrobe.slots.indexOf(b.slot));
}

/** A dyed headscarf takes none of the outfit's colours, so that it is told from the rest. */
function dyeOf({ garments, skin }: Person): string {
  const worn = garments.map(({ colour }) => colour);
  const dyes = ["purple", "blue", "green", "orange", "pink"].filter((dye) => !worn.includes(dye));
  return dyes[skin.length % dyes.length] ?? "grey";
}

/** A garment as a part, worn or by itself. */
function garmentPart({ kind, colour, pattern }: Garment, child = false): Part {
  const area = garmentKinds.get(kind)?.areas.at(-1) ?? "upper";
  return {
    role: "garment",
    kind,
    drawing: kind,
    slot: wardrobe.slotOf[kind] ?? wardrobe.areas[area] ?? area,
    palette: { of: "cloth", name: colour },
    pattern,
    child,
  };
}

const slug = (name: string): string => name.toLowerCase().replaceAll(" ", "-");

/** Whether there is a drawing of this garment or sign. */
export const hasPart = (name: string): boolean =>
  Object.values(art().people).every(({ parts }) => slug(name) in parts);

/** A sprite and where it lies in the frame. */
interface FramedSprite {
  readonly levels: readonly Sprite[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels of a raster for a unit of the frame. */
const scale = 1.25;
const sprites = new Map<string, Promise<FramedSprite>>();

/**
 * The drawing of a part in a style.
 *
 * @throws RangeError where there is none; ask `hasPart` first.
 */
export function partSprite(style: string, part: Part): Promise<FramedSprite> {
  const name = [
    style,
    part.drawing,
    part.palette?.name,
    part.pattern,
    part.child && wardrobe.headSlots.includes(part.slot),
  ].join("/");
  const known = sprites.get(name);
  if (known !== undefined) return known;
  const made = rasterise(partSvg(style, part), frame.width * scale).then((raster) => {
    const { sprite, left, top } = trimmed(raster);
    return {
      levels: halvings(sprite),
      x: left / scale,
      y: top / scale - frame.above,
      width: sprite.width / scale,
      height: sprite.height / scale,
    };
  });
  sprites.set(name, made);
  return made;
}

/** A part as a document of its own, in the person's frame. */
export function partSvg(style: string, part: Part): string {
  const { width, height, above } = frame;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 ${-above} ${width} ${height + above}">${partBody(style, part)}</svg>`;
}

function partBody(style: string, { drawing, palette: dye, pattern, child, slot }: Part): string {
  const look = art().people[style];
  const body = look?.parts[drawing];
  if (look === undefined || body === undefined) {
    throw new RangeError(`No drawing of "${drawing}" in ${style}`);
  }
  const colours = dye === undefined ? {} : (look[dye.of][dye.name] ?? {});
  const shaded = look.shaded && dye?.of === "cloth";
  const shapes = withPattern(body, pattern)
    .replace(/\{(\w+)\}/g, (_, name: string) =>
      name === "main" && shaded ? "url(#main)" : (colours[name] ?? "none"),
    )
    .replaceAll(' data-cloth=""', "");
  const { main = "", dark = "", light = "" } = colours;
  const gradient = shaded
    ? `<linearGradient id="main" x2="0" y2="1"><stop offset="0" stop-color="${light}"/><stop offset=".14" stop-color="${main}"/><stop offset=".7" stop-color="${main}"/><stop offset="1" stop-color="${dark}"/></linearGradient>`
    : "";
  const { head } = wardrobe.child;
  const larger =
    child && wardrobe.headSlots.includes(slot)
      ? ` transform="translate(80 86) scale(${head}) translate(-80 -86)"`
      : "";
  return `${gradient}<g stroke-linecap="round" stroke-linejoin="round"${larger}>${shapes}</g>`;
}

/** Lays a pattern over every shape of cloth, under the details that follow it. */
function withPattern(body: string, pattern: string | undefined): string {
  const drawn = pattern === undefined ? undefined : wardrobe.patterns[pattern];
  if (drawn === undefined) return body;
  const [width, height] = drawn.size;
  const paint = `<pattern id="pattern" width="${width}" height="${height}" patternUnits="userSpaceOnUse">${drawn.body}</pattern>`;
  return (
    paint +
    body.replace(
      /<[^<>]*data-cloth=""[^<>]*\/>/g,
      (shape) => shape + shape.replace('fill="{main}"', 'fill="url(#pattern)"'),
    )
  );
}
