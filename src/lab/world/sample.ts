import type { Random } from "../../core/random.js";
import type { Extra, Scene } from "./scene.js";
import { colours, extraKinds, mostOfAKind, places, subjects } from "./vocabulary.js";

/**
 * A random scene: a subject in one of its places with up to two kinds of extras, each with some
 * of count, colour, side, depth and size fixed.
 *
 * @param kinds the subjects to draw from, uniformly.
 */
export function sampleScene(random: Random, kinds: readonly string[]): Scene {
  const subject = random.pick(kinds);
  const hypernym = subjects.get(subject)?.hypernym ?? "";
  const place = random.pick([...places.values()].filter((one) => one.for.includes(hypernym))).name;
  const near = [...extraKinds.values()].filter((extra) => extra.for.includes(hypernym));
  const groups = random.chance(0.1) ? 0 : random.chance(0.6) ? 1 : 2;
  const extras = random
    .shuffle(near)
    .slice(0, groups)
    .map(({ kind, coloured }) => sampleExtra(kind, coloured, groups, random));
  return { subject, place, extras };
}

export function sampleExtra(
  kind: string,
  coloured: boolean,
  groups: number,
  random: Random,
): Extra {
  const relation = random.pick(["none", "none", "side", "depth", "depth", "size"] as const);
  const most = relation === "size" ? 2 : mostOfAKind - (groups - 1);
  return {
    kind,
    count: random.chance(0.45) ? 1 : 1 + random.integer(most),
    ...(coloured ? { colour: random.pick(colours) } : {}),
    ...(relation === "side" ? { side: random.pick(["left", "right"] as const) } : {}),
    ...(relation === "depth" ? { depth: random.pick(["foreground", "background"] as const) } : {}),
    ...(relation === "size" ? { size: random.pick(["small", "large"] as const) } : {}),
  };
}
