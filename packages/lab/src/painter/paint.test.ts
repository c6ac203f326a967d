import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, test } from "vitest";
import { isLabPicture, labPictureSize } from "../signature.js";
import { sampleScene } from "../world/sample.js";
import type { Extra, Scene } from "../world/scene.js";
import { subjects } from "../world/vocabulary.js";
import { type Painting, paint } from "./paint.js";
import { runLengths } from "./painter.js";
import { hasDrawing, styleNames } from "./sprites.js";

const side = labPictureSize;
const drawable = [...subjects.keys()].filter((kind) => hasDrawing(kind));

/** Sixty scenes of every kind, painted, and beside them what was asked for. */
const paintings: Painting[] = [];
const asked: Scene[] = [];
for (let seed = 0; paintings.length < 60; seed++) {
  const random = randomFrom("paint test", seed);
  const scene = sampleScene(random, drawable);
  const painting = await paint(scene, random.pick(styleNames()), `paint test ${seed}`);
  if (painting === undefined) continue;
  paintings.push(painting);
  asked.push(scene);
}

/** Where an object can be seen: its pixels' mean and lowest row, and how many there are. */
function seen({ canvas }: Painting, object: number) {
  let [count, sum, bottom] = [0, 0, 0];
  canvas.owners.forEach((owner, pixel) => {
    if (owner !== object + 1) return;
    count += 1;
    sum += pixel % side;
    bottom = Math.floor(pixel / side);
  });
  return { count, centre: sum / count, bottom };
}

const subjectOf = ({ objects }: Painting) =>
  objects.findIndex((object) => object.extra === undefined);

/** Places of an extra's members among the painting's objects. */
const membersOf = ({ objects }: Painting, extra: number) =>
  objects.flatMap((object, index) => (object.extra === extra ? [index] : []));

/** Every extra of every painting that has the wanted attribute. */
const extrasWith = (member: keyof Extra) =>
  paintings.flatMap((painting) =>
    painting.scene.extras.flatMap((extra, index) =>
      extra[member] === undefined
        ? []
        : [
            {
              painting,
              extra,
              members: membersOf(painting, index).map((at) => seen(painting, at)),
            },
          ],
    ),
  );

test("every painting is signed, and every object shows at least 60 % of itself", () => {
  for (const painting of paintings) {
    expect(isLabPicture(painting.canvas)).toBe(true);
    for (const { visible } of painting.objects) {
      expect(visible).toBeGreaterThanOrEqual(0.6);
      expect(visible).toBeLessThanOrEqual(1);
    }
  }
});

test("masks fill the picture and agree with the visible shares", () => {
  for (const painting of paintings) {
    const { canvas, objects } = painting;
    objects.forEach(({ visible }, index) => {
      const runs = runLengths(canvas.owners, index + 1);
      expect(runs.reduce((sum, length) => sum + length, 0)).toBe(side * side);
      const inside = runs.filter((_, at) => at % 2 === 1).reduce((sum, length) => sum + length, 0);
      expect(inside).toBe(seen(painting, index).count);
      expect(inside / (canvas.covered[index + 1] ?? 0)).toBe(visible);
    });
    expect(Math.max(...canvas.owners)).toBe(objects.length);
  }
});

test("there are as many of each kind as the scene says, in its colours", () => {
  for (const painting of paintings) {
    const { scene, objects } = painting;
    expect(objects[subjectOf(painting)]?.kind).toBe(scene.subject);
    const all = scene.extras.reduce((sum, { count }) => sum + count, 1);
    expect(objects).toHaveLength(all);
    scene.extras.forEach(({ kind, count, colour }, index) => {
      const members = membersOf(painting, index).map((at) => objects[at]);
      expect(members).toHaveLength(count);
      for (const member of members) {
        expect(member?.kind).toBe(kind);
        expect(member?.colour).toBe(colour);
      }
    });
  }
});

test("all that was asked for came about; sides may be added where they came about", () => {
  let added = 0;
  paintings.forEach(({ scene }, index) => {
    expect(scene).toMatchObject({ ...asked[index] });
    const sides = (some: Scene | undefined) =>
      some?.extras.filter((extra) => extra.side !== undefined).length ?? 0;
    added += sides(scene) - sides(asked[index]);
  });
  expect(added).toBeGreaterThan(0);
});

test("what has a side lies there by its pixels, every member of it", () => {
  const sided = extrasWith("side");
  expect(sided.length).toBeGreaterThan(20);
  for (const { painting, extra, members } of sided) {
    const subject = seen(painting, subjectOf(painting)).centre;
    for (const { centre } of members) {
      if (extra.side === "left") expect(centre).toBeLessThan(subject);
      else expect(centre).toBeGreaterThan(subject);
    }
  }
});

test("what is in the foreground stands lower than the subject, in the background higher", () => {
  const deep = extrasWith("depth");
  expect(deep.length).toBeGreaterThan(10);
  for (const { painting, extra, members } of deep) {
    const subject = seen(painting, subjectOf(painting)).bottom;
    for (const { bottom } of members) {
      if (extra.depth === "foreground") expect(bottom).toBeGreaterThan(subject);
      else expect(bottom).toBeLessThan(subject);
    }
  }
});

test("large is larger than small, for the same kind in the same picture", async () => {
  for (const kind of ["rock", "mushroom", "flower"]) {
    const areas = [];
    for (const size of ["small", "large"] as const) {
      const colour = kind === "rock" ? {} : { colour: "red" };
      const extras = [{ kind, count: 1, size, ...colour }];
      const painting = await paint({ subject: "dog", place: "snow", extras }, "noto", "size");
      if (painting === undefined) throw new Error("Expected a painting");
      const [member = 0] = membersOf(painting, 0);
      areas.push(seen(painting, member).count);
    }
    const [small = 0, large = 0] = areas;
    expect(large / small).toBeGreaterThan(3);
  }
});

const scene: Scene = {
  subject: "dog",
  place: "meadow",
  extras: [{ kind: "flower", count: 2, colour: "red", depth: "background" }],
};

test("scene, style and seed decide every pixel", async () => {
  const data = async (...[some, style, seed]: Parameters<typeof paint>) =>
    (await paint(some, style, seed))?.canvas.data;
  const first = await data(scene, "noto", 1);
  expect(first).toBeDefined();
  expect(await data(scene, "noto", 1)).toEqual(first);
  expect(await data(scene, "noto", 2)).not.toEqual(first);
  expect(await data(scene, "twemoji", 1)).not.toEqual(first);
  expect(await data({ ...scene, subject: "cat" }, "noto", 1)).not.toEqual(first);
});

test("two scenes that differ in one word are laid out alike", async () => {
  const blue = {
    ...scene,
    extras: [{ kind: "flower", count: 2, colour: "blue", depth: "background" }],
  };
  const [one, other] = [await paint(scene, "noto", 5), await paint(blue as Scene, "noto", 5)];
  const places = (painting: Painting | undefined) =>
    painting?.objects.map(({ kind, centre, baseline, size }) => ({ kind, centre, baseline, size }));
  expect(places(one)).toBeDefined();
  expect(places(other)).toEqual(places(one));
});

test("what can't be laid out readably is not painted", async () => {
  const crowd = {
    ...scene,
    extras: [{ kind: "tree", count: 30, size: "large" }],
  } as const;
  expect(await paint(crowd, "noto", 1, 3)).toBeUndefined();
});
