// Simulates judge -> review -> calibrate --add over and over with made-up judges of which the truth is
// known, by the functions that calibrate and judge use. What is tried, and by which criteria, stands in
// review-loops.json beside it; the outcome in docs/research/judge-trials.md.
//
//   node scripts/review-loops.mjs SEED        after npm run build
import { readFileSync } from "node:fs";
import { randomFrom } from "../dist/core/random.js";
import { answersNeeded } from "../dist/ensembles/binomial-bound.js";
import { splitLabels } from "../dist/ensembles/label-split.js";
import { certify } from "../dist/ensembles/selective-certificate.js";
import { twoAnswers } from "../dist/judges/answer-kind.js";
import { countDecisions, thresholdsOf } from "../dist/judges/calibrate-certify.js";
import { ensembleAnswers, fitJudge } from "../dist/judges/calibrate-fit.js";

const design = JSON.parse(readFileSync(new URL("review-loops.json", import.meta.url), "utf8"));
const { chains, rounds, labels, judgedEachRound, prompts, target, confidence } = design;
const assurance = { target, confidence };
const seed = Number(process.argv[2]);
if (!Number.isInteger(seed)) throw new Error("Expected a seed: node scripts/review-loops.mjs SEED");

const normal = (random) =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

/** A pair: who is right, and what each prompt says; prompts are noisy, and lean to a side of their own. */
function draw({ clarity, spread, noise, bias, exactError, from }, random) {
  const label = random.integer(2);
  const side = label === 1 ? 1 : -1;
  if (exactError !== undefined) {
    const sure = random.between(0.5, 1);
    const isWrong = random.chance(sure < from ? 1 : exactError);
    const p = (label === 1) === isWrong ? 1 - sure : sure;
    return { label, answers: Array.from({ length: prompts }, () => p) };
  }
  const clear = side * (clarity + spread * normal(random));
  const answers = Array.from({ length: prompts }, (_, at) => {
    const lean = bias * (at % 2 === 0 ? 1 : -1);
    return 1 / (1 + Math.exp(-(clear + lean + noise * (1 + at / prompts) * normal(random))));
  });
  return { label, answers };
}

const itemsOf = (some) => ({
  labels: some.map(({ label }) => label),
  answers: Float64Array.from(some.flatMap(({ answers }) => answers)),
  prompts,
  kind: twoAnswers,
});
const decisionsOf = (judge, some) =>
  ensembleAnswers(judge, itemsOf(some)).map((shares) => twoAnswers.decide(shares));

function fitted(fits, read, decides, tries) {
  const { objective, lambda } = design;
  const judge = fitJudge(itemsOf(fits), { objective, lambda, clusters: 1, seed: 0 });
  const { counts } = countDecisions(judge, itemsOf(decides), thresholdsOf(judge, itemsOf(read)));
  return { judge, ...certify(counts, decides.length, { ...assurance, tries }) };
}

const asSplittable = (some, isReviewed) => some.map(({ group }) => ({ group, isReviewed }));

/** As it is: what review shows of hard pairs fits nothing and decides nothing. */
function asItIs(drawn, reviewed, tries) {
  const items = [...drawn, ...reviewed];
  const split = splitLabels([...asSplittable(drawn, false), ...asSplittable(reviewed, true)], {
    seed: 0,
    ...assurance,
    tries,
  });
  const some = (numbers) => numbers.map((at) => items[at]);
  return fitted(some(split.fitting), some(split.fitting), some(split.deciding), tries);
}

/** As it was in 0.2: it fits, and thresholds are read from it, too. */
function asItWas(drawn, reviewed) {
  const split = splitLabels(asSplittable(drawn, false), { seed: 0, ...assurance });
  const fits = [...split.fitting.map((at) => drawn[at]), ...reviewed];
  return fitted(
    fits,
    fits,
    split.deciding.map((at) => drawn[at]),
    1,
  );
}

for (const [name, world] of Object.entries(design.worlds)) {
  const truth = Array.from(
    { length: design.heldOut },
    (
      (random) => () =>
        draw(world, random)
    )(randomFrom(seed, name, "truth")),
  );
  const measured = ({ judge, threshold }) => {
    if (threshold === null) return { isCertified: false, coverage: 0, isExceeded: false };
    let [accepted, wrong] = [0, 0];
    for (const [at, { says, confidence: sure }] of decisionsOf(judge, truth).entries()) {
      if (sure < threshold) continue;
      accepted++;
      if (says !== truth[at].label) wrong++;
    }
    const isExceeded = world.exactError !== undefined || wrong > target * accepted;
    return { isCertified: true, coverage: accepted / truth.length, isExceeded };
  };
  for (const rule of ["as it is", "as it was"]) {
    const after = Array.from({ length: rounds + 1 }, () => []);
    for (let chain = 0; chain < chains; chain++) {
      const random = randomFrom(seed, name, chain);
      let next = 0;
      const some = (count) =>
        Array.from({ length: count }, () => ({
          ...draw(world, random),
          group: `caption ${next++}`,
        }));
      let drawn = some(labels);
      let reviewed = [];
      let tries = 1;
      let own = asItIs(drawn, reviewed, tries);
      after[0].push(measured(own));
      for (let round = 1; round <= rounds; round++) {
        const judged = some(judgedEachRound);
        if (own.threshold === null && rule === "as it is" && reviewed.length === 0) {
          const { couldDecide } = splitLabels(asSplittable(drawn, false), {
            seed: 0,
            ...assurance,
          });
          if (couldDecide >= answersNeeded(0, assurance)) tries++;
          drawn = [...drawn, ...judged];
        } else {
          const decisions = decisionsOf(own.judge, judged);
          const least = own.threshold ?? 2;
          reviewed = [...reviewed, ...judged.filter((_, at) => decisions[at].confidence < least)];
        }
        own = rule === "as it is" ? asItIs(drawn, reviewed, tries) : asItWas(drawn, reviewed);
        after[round].push(measured(own));
      }
    }
    const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
    console.log(`\n${name}, ${rule}`);
    for (const [round, all] of after.entries()) {
      const gains = all.map(({ coverage }, at) => coverage - after[0][at].coverage);
      const gain = mean(gains);
      const half = 1.96 * Math.sqrt(mean(gains.map((one) => (one - gain) ** 2)) / chains);
      const lost = all.filter(({ isCertified }, at) => !isCertified && after[0][at].isCertified);
      console.log(
        `  ${round} reviews: ${all.filter(({ isCertified }) => isCertified).length} certified, ` +
          `${lost.length} of them lost, ${all.filter(({ isExceeded }) => isExceeded).length} exceeded, ` +
          `coverage ${mean(all.map(({ coverage }) => coverage)).toFixed(3)}, ` +
          `change ${gain.toFixed(3)} [${(gain - half).toFixed(3)}, ${(gain + half).toFixed(3)}]`,
      );
    }
  }
}
