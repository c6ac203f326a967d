import { encode } from "fast-png";
import type { Mask } from "touchstone-t2i/internal/core/models.js";
import { type Random, randomFrom } from "touchstone-t2i/internal/core/random.js";
import { type Painting, paint } from "../painter/paint.js";
import { hasDrawing, styleNames } from "../painter/sprites.js";
import { labPictureSize } from "../signature.js";
import { type CaptionHabit, sampleCaption } from "../world/captions.js";
import { garmentKinds, peopleExtras, signKinds } from "../world/people.js";
import {
  everyQuestionType,
  type Question,
  questionTypes,
  sampleQuestion,
} from "../world/questions.js";
import { samplePeopleScene, sampleScene } from "../world/sample.js";
import type { Scene } from "../world/scene.js";
import { extraKinds, subjects } from "../world/vocabulary.js";

/** Training scenes are drawn along paths that begin with "train"; these begin with this word. */
export const heldOutPath = "lab evaluate";

export const captionHabits: readonly CaptionHabit[] = ["skewed", "balanced"];

/** A picture that no model was trained on, and what can be asked about it. */
export interface HeldOutPicture {
  /** A PNG. */
  readonly bytes: Uint8Array;
  readonly style: string;
  readonly scene: Scene;
  /** One of each type that the scene offers. */
  readonly questions: readonly Question[];
  readonly captions: Readonly<Record<CaptionHabit, string>>;
  /** Entities that a localiser is asked for. */
  readonly sought: readonly SoughtEntity[];
}

export interface HeldOutOptions {
  /** How many; the styles take turns. */
  readonly scenes: number;
  readonly seed: number;
  /** The share of them that shows people or clothes. Default 0. */
  readonly people?: number;
  readonly onPainted?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Paints scenes of the kind that the models were trained on, without defects, along a seed path of
 * their own.
 */
export async function paintHeldOut({
  scenes,
  seed,
  people = 0,
  onPainted,
  signal,
}: HeldOutOptions): Promise<HeldOutPicture[]> {
  const kinds = drawableSubjects();
  const pictures: HeldOutPicture[] = [];
  for (let index = 0; index < scenes; index++) {
    signal?.throwIfAborted();
    const path = [heldOutPath, seed, "scene", index];
    const isPeopled = randomFrom(...path, "people").chance(people);
    const painting = await paintFirst(path, index, (random) =>
      isPeopled ? samplePeopleScene(random) : sampleScene(random, kinds),
    );
    const { canvas, style, scene } = painting;
    const types = isPeopled ? everyQuestionType : questionTypes;
    const random = randomFrom(...path, "text");
    pictures.push({
      bytes: pngOf(canvas),
      style,
      scene,
      questions: types.flatMap((type) => sampleQuestion(type, scene, random) ?? []),
      captions: {
        skewed: sampleCaption(scene, "skewed", random),
        balanced: sampleCaption(scene, "balanced", random),
      },
      sought: soughtIn(painting, randomFrom(...path, "sought")),
    });
    onPainted?.(pictures.length);
  }
  return pictures;
}

/** The first of some draws that the painter finds a readable layout for. */
async function paintFirst(
  path: readonly (string | number)[],
  turn: number,
  draw: (random: Random) => Scene,
): Promise<Painting> {
  for (let attempt = 0; ; attempt++) {
    const scene = draw(randomFrom(...path, attempt));
    const painting = await paint(scene, styleInTurn(turn), [...path, attempt].join("/"));
    if (painting !== undefined) return painting;
  }
}

/** The styles one after another. */
export function styleInTurn(turn: number): string {
  const names = styleNames();
  return names[turn % names.length] ?? "";
}

/** As the lab's painter writes its pictures. */
export function pngOf({ width, height, data }: Painting["canvas"]): Uint8Array {
  return encode({ width, height, data, channels: 3, depth: 8 });
}

/** Every subject that the lab has a drawing of. */
export const drawableSubjects = (): string[] =>
  [...subjects.keys()].filter((kind) => hasDrawing(kind));

/** Entity to find in a picture by its name. */
export interface SoughtEntity {
  readonly name: string;
  readonly sort: "thing" | "garment" | "sign";
  /** Where it is, every one of the name; undefined where there is none. */
  readonly mask: Mask | undefined;
}

/** Less of an entity is too little to be sought: at half the size two pixels and a half. */
const leastPixels = 40;

/**
 * Every entity with a name that a painting shows, and one that it does not show for each of them, of
 * the same sort.
 */
function soughtIn({ canvas, objects }: Painting, random: Random): SoughtEntity[] {
  const sorts = namesBySort();
  return sorts.flatMap(({ sort, names }) => {
    const shown = names.filter((name) => objects.some(({ kind }) => kind === name));
    const there = shown.flatMap((name): SoughtEntity[] => {
      const wanted = new Set(objects.flatMap(({ kind }, at) => (kind === name ? [at + 1] : [])));
      const data = canvas.owners.map((owner) => Number(wanted.has(owner)));
      const pixels = data.reduce((sum, inside) => sum + inside, 0);
      if (pixels < leastPixels) return [];
      return [{ name, sort, mask: { width: labPictureSize, height: labPictureSize, data } }];
    });
    const absent = random.shuffle(names.filter((name) => !shown.includes(name)));
    return [
      ...there,
      ...absent.slice(0, there.length).map((name) => ({ name, sort, mask: undefined })),
    ];
  });
}

/** A bag or a hat may be a garment or stand beside someone; it counts as a garment. */
function namesBySort(): { sort: SoughtEntity["sort"]; names: string[] }[] {
  const clothes = [...garmentKinds.keys()];
  const things = [...drawableSubjects(), ...extraKinds.keys(), ...peopleExtras.keys()];
  return [
    { sort: "thing", names: [...new Set(things)].filter((name) => !clothes.includes(name)) },
    { sort: "garment", names: clothes },
    { sort: "sign", names: [...signKinds.keys()] },
  ];
}
