// How often `compare --not-worse` calls a model as good that dropped by exactly the margin, and one that did not
// change, with as many prompts as `--power 0.8` says. Prints Markdown; `node bench/not-worse.mjs` on the built
// package. With --by: how often a group of prompts (`--by COLUMN`) is called worse where nothing changed, and where
// one group lost its skill. All that is set below was committed before the seeds were drawn from.
import { comparison } from "../dist/analysis/comparison/comparison.js";
import { marginGate } from "../dist/analysis/comparison/margin-gate.js";
import { marginPlan } from "../dist/analysis/comparison/margin-plan.js";
import { randomFrom } from "../dist/core/random.js";
import { normalQuantile } from "../dist/stats/normal.js";

const seed = 5_090_117;
const tables = 1_000;
const sizes = [20, 50, 100, 200];
const samplesOf = [1, 4];
const missing = 0.1;
const margin = 0.1;
const power = 0.8;
// With --by.
const groupSeed = 8_264_917;
const groupCounts = [3, 8, 20];
const groupSizes = [10, 30];
const lost = 0.3;

const normal = (random) => normalQuantile(Math.min(Math.max(random.next(), 1e-12), 1 - 1e-12));
const exponential = (random) => -Math.log(1 - random.next());

/** A prompt's two generators: what an image's score is before, and after a drop of `drop` on average. */
const populations = {
  normal: (random, drop) => {
    const prompt = 0.6 + 0.2 * normal(random);
    return [prompt, prompt - drop].map((mean) => () => mean + 0.2 * normal(random));
  },
  // Scores have a long tail below, and so has the drop: most of it falls on a few prompts.
  skewed: (random, drop) => {
    const prompt = 0.9 - 0.2 * exponential(random);
    const its = drop * exponential(random);
    return [prompt, prompt - its].map((mean) => () => mean - 0.2 * (exponential(random) - 1));
  },
  // A prompt fails at a rate of its own, around 20 %; the drop takes the same share of what succeeds.
  "0/1": (random, drop) => {
    const prompt = 1 - 0.4 * random.next();
    return [prompt, Math.min(1, prompt * (1 - drop / 0.8))].map(
      (share) => () => (random.chance(share) ? 1 : 0),
    );
  },
};

function drawn(draw, random, { prompts, samples, drop, isMissing }) {
  const sides = [[], []];
  for (let prompt = 0; prompt < prompts; prompt++) {
    for (const [side, score] of draw(random, drop).entries()) {
      for (let sample = 0; sample < samples; sample++) {
        const value = score();
        const isGone = isMissing && random.chance(missing);
        sides[side].push({ model: "m", prompt: `${prompt}`, score: isGone ? null : value });
      }
    }
  }
  return sides;
}

function gateOf([before, now], by) {
  const { columns, found } = concluded(now);
  const baseline = { kind: "table", metric: "score", rows: before };
  return marginGate(columns, found, { baseline, notWorse: margin, same: null, by });
}

const isAsGood = (sides) => gateOf(sides).models[0].state === "as-good";

const concluded = (rows) => ({
  columns: inColumns(rows),
  found: comparison(rows, { interval: "t" }),
});

function inColumns(rows) {
  const names = [...new Set(rows.map(({ prompt }) => prompt))];
  const numbers = new Map(names.map((name, at) => [name, at]));
  return {
    model: { codes: new Int32Array(rows.length), names: ["m"] },
    prompt: { codes: Int32Array.from(rows, ({ prompt }) => numbers.get(prompt)), names },
    score: Float64Array.from(rows, ({ score }) => score ?? Number.NaN),
  };
}

const percent = (count) => ((100 * count) / tables).toFixed(1);

if (process.argv.includes("--by")) groups();
else means();

function means() {
  console.log(
    `${tables} tables each, margin ${margin}, seed ${seed}; "missing": ${100 * missing} % of scores.\n\n` +
      "| scores | images a prompt | missing | prompts | as good after a drop of the margin, % | planned prompts (median) | as good unchanged, with as many, % |\n" +
      "| --- | ---: | --- | ---: | ---: | ---: | ---: |",
  );
  for (const [name, draw] of Object.entries(populations)) {
    for (const samples of samplesOf) {
      for (const isMissing of [false, true]) {
        for (const prompts of sizes) {
          const random = randomFrom(seed, "not-worse", name, samples, `${isMissing}`, prompts);
          const how = { prompts, samples, isMissing };
          let wrong = 0;
          let right = 0;
          const planned = [];
          for (let table = 0; table < tables; table++) {
            if (isAsGood(drawn(draw, random, { ...how, drop: margin }))) wrong += 1;
            const [pilot] = drawn(draw, random, { ...how, drop: 0 });
            const plan = marginPlan(inColumns(pilot), { notWorse: margin, same: null, power });
            planned.push(plan.prompts);
            const enough = { ...how, prompts: plan.prompts, drop: 0 };
            if (isAsGood(drawn(draw, random, enough))) right += 1;
          }
          const median = planned.sort((one, other) => one - other)[tables / 2];
          console.log(
            `| ${name} | ${samples} | ${isMissing ? "yes" : "no"} | ${prompts} | ${percent(wrong)} | ${median} | ${percent(right)} |`,
          );
        }
      }
    }
  }
}

/** The first group has another drop than the others. */
function drawnGroups(draw, random, { count, size, samples, drops: [first, others] }) {
  const sides = [[], []];
  const names = Array.from({ length: count }, (_, group) => `skill ${group}`);
  for (const [group] of names.entries()) {
    const drop = group === 0 ? first : others;
    const its = drawn(draw, random, { prompts: size, samples, drop, isMissing: false });
    for (const [side, rows] of its.entries()) {
      for (const row of rows) sides[side].push({ ...row, prompt: `${group} ${row.prompt}` });
    }
  }
  const codes = Int32Array.from(sides[1], ({ prompt }) => Number(prompt.split(" ")[0]));
  return { sides, by: { codes, names } };
}

function groups() {
  console.log(
    `${tables} tables each, seed ${groupSeed}; a lost skill: one group drops by ${lost}, the others rise by as much together, at most to 1 where scores are 0/1.\n\n` +
      "| scores | images a prompt | groups (looks) | prompts a group | any called worse, nothing changed, % | the lost one called worse, % | another called worse, % |\n" +
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
  );
  for (const [name, draw] of Object.entries(populations)) {
    for (const samples of samplesOf) {
      for (const count of groupCounts) {
        for (const size of groupSizes) {
          const random = randomFrom(groupSeed, "by", name, samples, count, size);
          const worse = (drops) => {
            const { sides, by } = drawnGroups(draw, random, { count, size, samples, drops });
            const { groups: found } = gateOf(sides, by);
            return found.filter(({ state }) => state === "worse").map(({ group }) => group);
          };
          let alarms = 0;
          let right = 0;
          let others = 0;
          for (let table = 0; table < tables; table++) {
            if (worse([0, 0]).length > 0) alarms += 1;
            const named = worse([lost, -lost / (count - 1)]);
            if (named.includes("skill 0")) right += 1;
            if (named.some((group) => group !== "skill 0")) others += 1;
          }
          console.log(
            `| ${name} | ${samples} | ${count} | ${size} | ${percent(alarms)} | ${percent(right)} | ${percent(others)} |`,
          );
        }
      }
    }
  }
}
