// Simulates a year of weekly `judge verify`: judges that never drift, and judges of which some answers are flipped
// from one week on. What is tried, and by which criterion, stands in drift-weeks.json beside it; the outcome in
// docs/research/judge-trials.md.
//
//   node scripts/drift-weeks.mjs SEED        after npm run build
import { readFileSync } from "node:fs";
import { randomFrom } from "../dist/core/random.js";
import { driftEvidence, evidenceOfDrift } from "../dist/judges/verify-anchors.js";

const design = JSON.parse(readFileSync(new URL("drift-weeks.json", import.meta.url), "utf8"));
const seed = Number(process.argv[2]);
if (!Number.isInteger(seed)) throw new Error("Expected a seed: node scripts/drift-weeks.mjs SEED");
const { anchors: count, weeks } = design;

/**
 * One year: an anchor is answered otherwise than it mostly is with a probability of its own, at calibration, in each
 * week and when it is asked a second time in the first. From week `from` on a share of them mostly say the other.
 *
 * @returns the week in which drift is said; 0 for none.
 */
function year({ rate, of = 1, own = rate }, random, { flipped = 0, from = weeks + 1 } = {}) {
  const anchors = Array.from({ length: count }, () => {
    const q = of === 1 || random.chance(of) ? own : 0;
    return { q, reference: random.chance(q), isFlipped: random.chance(flipped) };
  });
  const answers = (week) =>
    anchors.map(({ q, isFlipped }) => random.chance(q) !== (isFlipped && week >= from));
  const differ = (one, other) => one.filter((answer, at) => answer !== other[at]).length;
  const times = [];
  let baseline;
  for (let week = 1; week <= weeks; week++) {
    const now = answers(week);
    baseline ??= { asked: count, changed: differ(now, answers(week)) };
    times.push({
      asked: count,
      changed: differ(
        now,
        anchors.map(({ reference }) => reference),
      ),
    });
    if (driftEvidence(baseline, times) >= evidenceOfDrift) return week;
  }
  return 0;
}

const alarms = Object.entries(design.judges).map(([name, judge]) => {
  let accused = 0;
  for (let at = 0; at < design.years; at++) {
    if (year(judge, randomFrom(seed, `none ${name} ${at}`)) > 0) accused += 1;
  }
  return { judge: name, accused };
});
console.log(`Accused in ${weeks} weeks without a drift, of ${design.years}`);
console.table(alarms);

const found = [];
for (const [name, judge] of Object.entries(design.judges)) {
  for (const flipped of design.flipped) {
    for (const from of design.from) {
      const waits = [];
      for (let at = 0; at < design.yearsOfDrift; at++) {
        const random = randomFrom(seed, `drift ${name} ${flipped} ${from} ${at}`);
        const week = year(judge, random, { flipped, from });
        if (week >= from) waits.push(week - from + 1);
      }
      waits.sort((a, b) => a - b);
      found.push({
        judge: name,
        flipped,
        from,
        found: `${waits.length} of ${design.yearsOfDrift}`,
        "anchors, median": (waits[Math.floor(waits.length / 2)] ?? Number.NaN) * count,
      });
    }
  }
}
console.table(found);
