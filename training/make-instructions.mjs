// Writes what the judge is told in training: every prompt of the pool as the numbers of its words, and
// what judges.yaml makes of it.
//
//   node training/make-instructions.mjs --out judges.json [--pool data/prompts/pairwise.yaml]
//
// It prints how often such judges would be right about two images of one sentence of which one has a
// single fault more, if they saw all that there is to be seen. Scenes need not be painted again.

import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { instructionIds } from "../packages/lab/dist/models/instruction-words.js";
import { styleNames } from "../packages/lab/dist/painter/sprites.js";
import { subjects } from "../packages/lab/dist/world/vocabulary.js";

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    pool: { type: "string", default: "data/prompts/pairwise.yaml" },
    seen: { type: "string", default: "noto,fluent" },
  },
});
if (values.out === undefined) throw new Error("Say where they go: --out FILE");
const read = (file) => parse(readFileSync(file, "utf8"));
const pool = read(values.pool);
const judges = read(new URL("judges.yaml", import.meta.url));
const kinds = ["personas", "templates", "criteria", "glyphs"];
const groups = ["people", "animals", "things"];
const seen = values.seen.split(",");
const looks = Object.keys(judges.looks);
const known = ["all", ...styleNames(), ...groups];

/** All that a prompt says but for its caption, as src/judges puts it. */
function wordsOf([persona, template, criterion, glyphs], withTie) {
  const { task, question } = pool.templates[template];
  const { answers, labels, ask } = pool.glyphs[glyphs];
  const told = { "{criterion}": pool.criteria[criterion], '"{caption}"': " " };
  const asked = ask.replace("{answers}", answers.join(" or "));
  const tie = withTie ? pool.tie.ask.replace("{tie}", pool.tie.answer) : "";
  return [
    pool.personas[persona],
    pool.rules,
    Object.entries(told).reduce((text, [name, words]) => text.replace(name, words), task),
    ...labels,
    question,
    asked,
    tie,
  ].join("\n");
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** What the parts make of a prompt, with those of the pool that judges.yaml says nothing of refused. */
function judgeOf(names) {
  const parts = names.map((name, at) => {
    const part = judges[kinds[at]][name];
    if (part === undefined) throw new Error(`judges.yaml says nothing of ${kinds[at]} ${name}`);
    for (const group of Object.keys(part.care ?? {})) {
      if (!group.split(" ").every((word) => known.includes(word))) {
        throw new Error(`Expected a style, a subject or both for ${name} but received "${group}"`);
      }
    }
    return part;
  });
  const careFor = (style, group) =>
    judges.base.care +
    sum(
      parts.flatMap(({ care = {} }) =>
        Object.entries(care)
          .filter(([words]) =>
            words.split(" ").every((word) => ["all", style, group].includes(word)),
          )
          .map(([, number]) => number),
      ),
    );
  return {
    id: names.join("/"),
    ids: instructionIds(wordsOf(names, false)),
    idsWithTie: instructionIds(wordsOf(names, true)),
    care: seen.map((style) => groups.map((group) => careFor(style, group))),
    looks: looks.map((look) => sum([judges.base, ...parts].map((part) => part.looks?.[look] ?? 0))),
    first: sum(parts.map(({ first = 0 }) => first)),
  };
}

const prompts = kinds
  .reduce(
    (all, kind) => all.flatMap((names) => Object.keys(pool[kind]).map((name) => [...names, name])),
    [[]],
  )
  .map(judgeOf);
writeFileSync(
  values.out,
  JSON.stringify({
    poolVersion: pool.version,
    seen,
    groups,
    looks: judges.looks,
    prompts,
    animals: [...subjects.values()]
      .filter(({ hypernym }) => hypernym === "animal")
      .map(({ kind }) => kind),
  }),
);

/** The standard normal distribution function, to three digits (Abramowitz and Stegun 26.2.17). */
function normal(z) {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const series = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const tail = sum(series.map((factor, power) => factor * t ** (power + 1)));
  const upper = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail;
  return z > 0 ? 1 - upper : upper;
}

/** Of two images whose looks differ as those of one sentence do; either may be shown first. */
function rightness({ care, looks: swayed, first }, style, group) {
  const step = care[style][group];
  const spread = Math.sqrt(2 * sum(swayed.map((weight) => weight ** 2))) + 1e-9;
  return (normal((step + first) / spread) + normal((step - first) / spread)) / 2;
}

const shown = (number) => number.toFixed(2);
const at = (sorted, share) => sorted[Math.floor(share * (sorted.length - 1))];
console.log(
  `${prompts.length} prompts, words ${shown(sum(prompts.map(({ ids }) => ids.length)) / prompts.length)} each`,
);
seen.forEach((style, row) => {
  groups.forEach((group, column) => {
    const all = prompts.map((prompt) => rightness(prompt, row, column)).sort((a, b) => a - b);
    const below = all.filter((share) => share < 0.5).length;
    console.log(
      `${style} ${group}: right ${[0, 0.1, 0.5, 0.9, 1].map((share) => shown(at(all, share))).join(" ")}` +
        ` (least, tenth, half, nine tenths, most); ${below} below one half`,
    );
  });
});
