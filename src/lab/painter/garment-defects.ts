import type { Random } from "../../core/random.js";
import { garmentColours, garmentKinds, patterns } from "../world/people.js";
import { swapAttributes } from "../world/people-statements.js";
import type { DescribedGarment } from "../world/scene.js";

type Garments = readonly DescribedGarment[];

/** A mistake with the clothes that a sentence speaks of; undefined where there is none to make. */
export type GarmentMistake = (said: Garments, random: Random) => Garments | undefined;

const attributes = ["colour", "pattern"] as const;

/** Puts a colour or a pattern of one garment on another as well. */
export const leakAttribute: GarmentMistake = (said, random) => {
  const leaks = said.flatMap((from, source) =>
    attributes.flatMap((attribute) =>
      said.flatMap((to, target) => {
        const value = from[attribute];
        const shows = value === undefined || value === to[attribute] || !canHave(to, attribute);
        return source === target || shows ? [] : [{ target, change: { [attribute]: value } }];
      }),
    ),
  );
  return leaks.length === 0 ? undefined : changed(said, random.pick(leaks));
};

/** Gives two garments each other's colour and pattern. */
export const exchangeAttributes: GarmentMistake = (said, random) => {
  const differing = said.flatMap((first, source) =>
    said.flatMap((second, target) =>
      source < target && attributes.some((attribute) => first[attribute] !== second[attribute])
        ? [{ source, target, swapped: swapAttributes(first, second) }]
        : [],
    ),
  );
  if (differing.length === 0) return undefined;
  const { source, target, swapped } = random.pick(differing);
  const [first, second] = swapped;
  return said.map((one, at) => (at === source ? first : at === target ? second : one));
};

/** Paints a garment in another colour or pattern than it was told. */
export const loseAttribute: GarmentMistake = (said, random) => {
  const told = said.flatMap((garment, target) =>
    attributes.flatMap((attribute) =>
      garment[attribute] === undefined || !canHave(garment, attribute)
        ? []
        : [{ target, attribute, value: garment[attribute] }],
    ),
  );
  if (told.length === 0) return undefined;
  const { target, attribute, value } = random.pick(told);
  const all = attribute === "colour" ? garmentColours : patterns;
  const other = random.pick(all.filter((one) => one !== value));
  return changed(said, { target, change: { [attribute]: other } });
};

/** Shoes and boots are too small for a pattern. */
const canHave = ({ kind }: DescribedGarment, attribute: (typeof attributes)[number]): boolean =>
  attribute === "colour" || garmentKinds.get(kind)?.large === true;

const changed = (
  said: Garments,
  { target, change }: { readonly target: number; readonly change: Partial<DescribedGarment> },
): Garments => said.map((one, at) => (at === target ? { ...one, ...change } : one));
