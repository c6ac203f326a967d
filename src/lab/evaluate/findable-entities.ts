import type { Mask } from "../../core/models.js";
import type { Random } from "../../core/random.js";
import type { Painting } from "../painter/paint.js";
import { labPictureSize } from "../signature.js";
import { garmentKinds, peopleExtras, signKinds } from "../world/people.js";
import { extraKinds } from "../world/vocabulary.js";
import { drawableSubjects } from "./drawable-subjects.js";

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
export function soughtIn({ canvas, objects }: Painting, random: Random): SoughtEntity[] {
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
