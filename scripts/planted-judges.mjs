// Plants defects in made-up judges and counts how often `judge check` finds them, and how often it finds any in
// sound ones. What is tried, and by which criteria, stands in planted-judges.json beside it; the outcome in
// docs/research/judge-trials.md.
//
//   node scripts/planted-judges.mjs SEED        after npm run build
import { readFileSync } from "node:fs";
import { judgeCheck } from "../dist/analysis/judge-check/judge-check.js";
import { randomFrom } from "../dist/core/random.js";

const design = JSON.parse(readFileSync(new URL("planted-judges.json", import.meta.url), "utf8"));
const seed = Number(process.argv[2]);
if (!Number.isInteger(seed))
  throw new Error("Expected a seed: node scripts/planted-judges.mjs SEED");

const normal = (random) =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
const choices = ["a", "b", "tie"];
const other = { a: "b", b: "a", tie: "tie" };
const oneOf = (random, all) => all[random.integer(all.length)];
const level = (quality) => Math.min(5, Math.max(1, Math.round(3 + quality)));

/** A sound judge of people's votes: right in 65 to 90 %, its errors on either side alike. */
const votes = (random) => {
  const accuracy = random.between(0.65, 0.9);
  return Array.from({ length: design.items }, (_, at) => {
    const human = random.chance(0.2) ? "tie" : oneOf(random, ["a", "b"]);
    const say = () =>
      random.chance(accuracy)
        ? human
        : oneOf(
            random,
            choices.filter((one) => one !== human),
          );
    return { row: { id: String(at), vote: say(), human }, say };
  });
};

/** The same asked again, in the other order or in another trial: the same answer in 92 %. */
const orders = (random) =>
  votes(random).map(({ row, say }) => ({
    row: { ...row, swapped: random.chance(0.92) ? row.vote : say() },
    say,
  }));
const trials = (random) =>
  votes(random).flatMap(({ row, say }) => [
    { row, say },
    { row: { ...row, vote: random.chance(0.92) ? row.vote : say() }, say, isAgain: true },
  ]);

/** Images of one prompt, each beside each other; people and judge see quality with noise of their own. */
const tournament = (random) => {
  const generators = Array.from({ length: design.images }, (_, at) => `painter-${at}`);
  return Array.from({ length: design.prompts }, (_, prompt) => {
    const images = generators.map((name, at) => {
      const quality = normal(random) + 0.2 * at;
      return { name, quality, judged: quality + 0.35 * normal(random) };
    });
    const pairs = images.flatMap((x, at) => images.slice(at + 1).map((y) => [x, y]));
    return pairs.map((pair, at) => {
      const [a, b] = random.shuffle(pair);
      const decide = (gap) => (Math.abs(gap) < 0.15 ? "tie" : gap > 0 ? "a" : "b");
      const human = decide(a.quality - b.quality);
      const say = () => decide(a.judged - b.judged + 0.15 * normal(random));
      const id = `${prompt}-${at}`;
      return { row: { id, prompt: `p${prompt}`, a: a.name, b: b.name, vote: say(), human }, say };
    });
  }).flat();
};

/** Pairs of an image and its degraded copy. */
const degraded = (random) =>
  Array.from({ length: design.items }, (_, at) => {
    const human = oneOf(random, ["a", "b"]);
    const vote = random.chance(0.9) ? human : oneOf(random, [other[human], "tie"]);
    const degradation = at % 2 === 0 ? "blur" : "noise";
    return { row: { id: String(at), vote, human, degradation, level: 3 } };
  });

const ratings = (random) =>
  Array.from({ length: design.items }, (_, at) => {
    const quality = 1.1 * normal(random);
    const judged = 0.9 * quality + 0.5 * normal(random);
    const human = level(quality + 0.3 * normal(random));
    return { row: { id: String(at), rating: level(judged), human }, judged };
  });
const ratedTwice = (random) =>
  ratings(random).flatMap(({ row, judged }) => [
    { row },
    { row: { ...row, rating: level(judged + 0.25 * normal(random)) }, isAgain: true },
  ]);

const worlds = {
  votes,
  orders,
  trials,
  tournament,
  family: tournament,
  degraded,
  ratings,
  "rated-twice": ratedTwice,
};

/** What a defect does to a row; the other order, where there is one, is seen from the item's a. */
const both = (row, first, second) => ({
  ...row,
  vote: first,
  ...(row.swapped === undefined ? {} : { swapped: second }),
});
const defects = {
  "always-first": ({ row }) => both(row, "a", "b"),
  "always-tie": ({ row }) => both(row, "tie", "tie"),
  unparsed: ({ row }) => ({ ...row, vote: null }),
  "unparsed-where-b-is-better": ({ row }) => (row.human === "b" ? { ...row, vote: null } : row),
  refused: ({ row }) => ({ ...row, vote: null, refused: true }),
  "first-beside-people": ({ row }) => both(row, "a", "b"),
  "second-beside-people": ({ row }) => both(row, "b", "a"),
  "first-in-both-orders": ({ row }) => both(row, "a", "b"),
  "second-in-both-orders": ({ row }) => both(row, "b", "a"),
  "contradicts-by-order": ({ row }, random) => ({ ...row, swapped: oneOf(random, choices) }),
  "contradicts-by-trial": ({ row, isAgain }, random) =>
    isAgain ? { ...row, vote: oneOf(random, choices) } : row,
  coin: ({ row }, random) => ({ ...row, vote: oneOf(random, choices) }),
  opposite: ({ row }) => ({ ...row, vote: row.human === "tie" ? "a" : other[row.human] }),
  cycles({ row }) {
    const [a, b] = [row.a, row.b].map((name) => Number(name.slice(-1)));
    // Of three in a ring each beats the next; the fourth loses to all.
    const beats = b === 3 || (a !== 3 && (a + 1) % 3 === b);
    return { ...row, vote: beats ? "a" : "b" };
  },
  "own-family": favouring,
  "favourite-unnamed": favouring,
  "blind-to-copies": ({ row }, random) => ({ ...row, vote: oneOf(random, ["a", "b"]) }),
  "constant-rating": ({ row }) => ({ ...row, rating: 4 }),
  "two-levels": ({ row }) => ({ ...row, rating: row.rating >= 3 ? 4 : 3 }),
  "ratings-by-chance": ({ row }, random) => ({ ...row, rating: 1 + random.integer(5) }),
};
function favouring({ row }) {
  const side = row.a === "painter-0" ? "a" : row.b === "painter-0" ? "b" : undefined;
  return side === undefined ? row : { ...row, vote: side };
}

const checked = (rows, named) =>
  judgeCheck(rows, {
    interval: design.interval,
    ...(named ? { family: ["painter-0"] } : {}),
  }).findings;

const planted = [];
for (const [name, { world, shares, finds, named }] of Object.entries(design.defects)) {
  const counts = shares.map((share, strength) => {
    let found = 0;
    let asDefect = 0;
    for (let repeat = 0; repeat < design.repeats; repeat++) {
      const random = randomFrom(seed, `${name} ${strength} ${repeat}`);
      const rows = worlds[world](random).map((one) =>
        random.chance(share) ? defects[name](one, random) : one.row,
      );
      const own = checked(rows, named).filter(({ kind }) => finds.includes(kind));
      if (own.length > 0) found += 1;
      if (own.some(({ severity }) => severity === "defect")) asDefect += 1;
    }
    return `${found} (${asDefect})`;
  });
  planted.push({ defect: name, weak: counts[0], strong: counts[1] });
}
console.log(`Of ${design.repeats}: found (as a defect)`);
console.table(planted);

const alarms = design.sound.map((world) => {
  const kinds = {};
  let any = 0;
  let asDefect = 0;
  for (let repeat = 0; repeat < design.soundRepeats; repeat++) {
    const random = randomFrom(seed, `sound ${world} ${repeat}`);
    const rows = worlds[world](random).map(({ row }) => row);
    const findings = checked(rows, world === "family");
    if (findings.length > 0) any += 1;
    if (findings.some(({ severity }) => severity === "defect")) asDefect += 1;
    for (const { kind } of findings) kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return { world, any, asDefect, kinds: JSON.stringify(kinds) };
});
console.log(`Sound judges with a finding, of ${design.soundRepeats} each`);
console.table(alarms);
