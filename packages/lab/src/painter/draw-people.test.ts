import { expect, test } from "vitest";
import { attributes, garmentKinds, patterns, people, signKinds } from "../world/people.js";
import type { Person } from "../world/scene.js";
import { hasPart, type Part, partSprite, partSvg, partsOf } from "./draw-people.js";
import { paint } from "./paint.js";
import { styleNames } from "./sprites.js";

const someone: Person = {
  gender: "woman",
  age: "adult",
  skin: "medium",
  cut: "bun",
  hair: "black",
  beard: false,
  garments: [
    { kind: "skirt", colour: "red", pattern: "striped" },
    { kind: "jacket", colour: "blue", pattern: "dotted" },
  ],
  signs: [],
};
const unsaid = [...attributes.values()].flatMap(({ shows }) => shows);
const everySign = [...new Set([...signKinds.keys(), ...unsaid])];

const drawnOf = async (style: string, part: Part): Promise<number> => {
  const [sprite] = (await partSprite(style, part)).levels;
  return sprite?.data.filter((value, at) => at % 4 === 3 && value >= 128).length ?? 0;
};

test("every garment and sign, cut and body is drawn in every style", async () => {
  for (const kind of [...garmentKinds.keys(), ...everySign]) expect(hasPart(kind), kind).toBe(true);
  const cuts = [...new Set(Object.values(people.cuts).flat())];
  const all = [
    ...everySign.map((sign) => ({ ...someone, signs: [sign] })),
    ...cuts.map((cut) => ({ ...someone, cut, beard: true, age: "older" }) as const),
    ...[...garmentKinds.keys()].map((kind) => ({
      ...someone,
      garments: [{ kind, colour: "grey", pattern: "plain" }],
    })),
  ].flatMap(partsOf);
  for (const style of styleNames()) {
    for (const part of all) {
      // A flag pin has some four hundred pixels here; a line of the face has fewer.
      const least = part.kind === "face" ? 20 : 100;
      expect(await drawnOf(style, part), `${style} ${part.drawing}`).toBeGreaterThan(least);
      expect(partSvg(style, part)).not.toMatch(/[{}]|"none" d=|undefined|NaN/);
    }
  }
});

test("a pattern stays within its garment, and each differs from the others", async () => {
  for (const style of styleNames()) {
    for (const [kind, { large }] of garmentKinds) {
      if (!large) continue;
      const worn = patterns.map((pattern) =>
        partsOf({ ...someone, garments: [{ kind, colour: "green", pattern }] }).find(
          ({ role }) => role === "garment",
        ),
      );
      const [plain, ...others] = await Promise.all(
        worn.flatMap((part) => (part === undefined ? [] : [partSprite(style, part)])),
      );
      const pixels = new Set([plain, ...others].map((sprite) => String(sprite?.levels[0]?.data)));
      expect(pixels.size, `${style} ${kind}`).toBe(patterns.length);
      for (const { x, y, width, height } of others) {
        expect({ x, y, width, height }).toEqual({
          x: plain?.x,
          y: plain?.y,
          width: plain?.width,
          height: plain?.height,
        });
      }
    }
  }
});

test("a person's parts are objects with masks of their own, and a child is smaller", async () => {
  const scene = { subject: "person", place: "park", extras: [], person: someone };
  const [adult, child] = await Promise.all([
    paint(scene, "noto", "parts"),
    paint({ ...scene, person: { ...someone, age: "child", cut: "pigtails" } }, "noto", "parts"),
  ]);
  const garments = adult?.objects.filter(({ role }) => role === "garment");
  expect(garments?.map(({ kind, colour, pattern }) => [pattern, colour, kind].join(" "))).toEqual([
    "striped red skirt",
    "dotted blue jacket",
  ]);
  for (const { visible } of garments ?? []) expect(visible).toBe(1);
  const heightOf = (painting: typeof adult): number => {
    const rows = [...(painting?.canvas.owners ?? [])].flatMap((owner, at) =>
      owner > 0 ? [Math.floor(at / 192)] : [],
    );
    return (rows.at(-1) ?? 0) - (rows[0] ?? 0);
  };
  expect(heightOf(child)).toBeLessThan(heightOf(adult) * 0.85);
});
