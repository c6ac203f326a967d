// Whom `analyze raters` accuses, how often wrongly, and whether its answers are nearer to the truth than the majority's.
// node bench/raters.mjs [--try]: the configuration stands below, committed before its seeds are drawn; --try draws others.
import { parseArgs } from "node:util";
import { raters } from "touchstone-t2i/analysis";
import { randomFrom } from "../dist/core/random.js";

const { values } = parseArgs({ options: { try: { type: "boolean", default: false } } });

/**
 * Raters are right with a probability drawn from [.6, .95]; planted ones stand beside them. Aim: intervals of
 * reliability hold the share of right answers in 93 % or more, in each kind. "held out 1" was drawn before those who may
 * copy each other shared a vote.
 */
const configuration = {
  tables: 100,
  resamples: 100,
  categories: [2, 3, 5],
  items: [50, 200],
  honest: [5, 10],
  planted: { spammers: 0.2, adversaries: 1, copiers: 1, sleepers: 1 },
  seed: values.try ? "try" : "held out 2",
};

const { tables, resamples, categories, items, honest, planted, seed } = configuration;
const categoriesOf = (count) => Array.from({ length: count }, (_, at) => String(at + 1));

function table(random, { count, size, people, withPlanted }) {
  const labels = categoriesOf(count);
  const truth = Array.from({ length: size }, () => random.pick(labels));
  const wrong = (right) => random.pick(labels.filter((label) => label !== right));
  const say = (right, accuracy) => (random.chance(accuracy) ? right : wrong(right));
  const all = new Map();
  for (let at = 0; at < people; at++) {
    const accuracy = random.between(0.6, 0.95);
    all.set(
      `honest ${at}`,
      truth.map((right) => say(right, accuracy)),
    );
  }
  if (withPlanted) {
    for (let at = 0; at < Math.round(planted.spammers * people); at++)
      all.set(
        `spammer ${at}`,
        truth.map(() => random.pick(labels)),
      );
    all.set(
      "adversary",
      truth.map((right) => say(right, 0.05)),
    );
    all.set(
      "copier",
      all.get("honest 0").map((value) => (random.chance(0.98) ? value : random.pick(labels))),
    );
    all.set(
      "sleeper",
      truth.map((right, at) => (at < size / 2 ? say(right, 0.9) : random.pick(labels))),
    );
  }
  const rows = [...all].flatMap(([annotator, said]) =>
    said.map((value, at) => ({ item: String(at), annotator, value })),
  );
  return { truth, rows };
}

const share = (count, of) => (of === 0 ? "–" : `${((100 * count) / of).toFixed(1)} % of ${of}`);
console.log(JSON.stringify(configuration));
for (const count of categories) {
  for (const size of items) {
    for (const people of honest) {
      for (const withPlanted of [false, true]) {
        const sum = {
          honest: 0,
          worse: 0,
          copies: 0,
          anyone: 0,
          covered: 0,
          copiedCovered: 0,
          spammers: 0,
          unsure: 0,
          adversaries: 0,
          copied: 0,
          right: 0,
          majority: 0,
          answers: 0,
        };
        for (let number = 0; number < tables; number++) {
          const random = randomFrom(
            "raters",
            seed,
            count,
            size,
            people,
            String(withPlanted),
            number,
          );
          const { truth, rows } = table(random, { count, size, people, withPlanted });
          const found = raters(rows, { resamples });
          let isAccused = false;
          for (const [name, one] of Object.entries(found.raters)) {
            const isPair = withPlanted && (name === "honest 0" || name === "copier");
            if (name.startsWith("honest")) {
              sum.honest += 1;
              if (one.worseThanGuessing) sum.worse += 1;
              if (one.copies !== undefined && !isPair) sum.copies += 1;
              if (one.worseThanGuessing || (one.copies !== undefined && !isPair)) isAccused = true;
              const said = rows.filter(({ annotator }) => annotator === name);
              const right = said.filter(({ value }, at) => value === truth[at]).length / size;
              if (one.reliability.low <= right && right <= one.reliability.high) {
                sum.covered += 1;
                if (name === "honest 0") sum.copiedCovered += 1;
              }
            }
            if (name.startsWith("spammer")) {
              sum.spammers += 1;
              if (!one.betterThanGuessing) sum.unsure += 1;
            }
            if (name === "adversary" && one.worseThanGuessing) sum.adversaries += 1;
            if (name === "copier" && one.copies !== undefined) sum.copied += 1;
          }
          if (isAccused) sum.anyone += 1;
          for (const [at, right] of truth.entries()) {
            const { value, majority } = found.answers[String(at)];
            sum.answers += 1;
            if (value === right) sum.right += 1;
            if (majority === right) sum.majority += 1;
          }
        }
        console.log(
          [
            `${count} categories, ${size} items, ${people} honest${withPlanted ? " and planted" : ""}`,
            `honest worse ${share(sum.worse, sum.honest)}`,
            `honest copies ${share(sum.copies, sum.honest)}`,
            `tables with an accusation ${share(sum.anyone, tables)}`,
            `interval holds own share right ${share(sum.covered, sum.honest)}`,
            ...(withPlanted
              ? [
                  `spammers not better than guessing ${share(sum.unsure, sum.spammers)}`,
                  `adversary found ${share(sum.adversaries, tables)}`,
                  `copier found ${share(sum.copied, tables)}`,
                  `interval of the one who is copied ${share(sum.copiedCovered, tables)}`,
                ]
              : []),
            `answers right ${share(sum.right, sum.answers)}, majority ${share(sum.majority, sum.answers)}`,
          ].join(" | "),
        );
      }
    }
  }
}
