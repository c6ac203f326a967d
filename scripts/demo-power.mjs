// How large the demo must be: for each gap that its reports decide, the number of units (prompts,
// descriptions, queries, pairs) at which a 95 % interval excludes the threshold with power 0.8 and 0.9,
// given the effect and its standard error on development seeds. Prints a table for docs/research/demo-sizes.md.
//
//   node scripts/demo-power.mjs RUN…      folders that `touchstone demo --seed N` made, N a development seed
//
// A gap d with standard error s from n units needs n ((1.96 + z) s / |d|)² of them, z = 0.842 or 1.282:
// units are what intervals draw (clusters), so whatever goes together within one is in s. Several runs
// are pooled: the mean of their gaps, the mean of their variances per unit.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../bin/touchstone", import.meta.url));
const touchstone = (...words) =>
  JSON.parse(execFileSync("node", [program, ...words, "--json"], { maxBuffer: 1e9 }));
const reportOf = (run) => touchstone("report", run, "--out", join(tmpdir(), "demo-power.html"));

const recordsOf = (run, start) => {
  const folder = join(run, "records");
  const name = readdirSync(folder).find((each) => each.startsWith(start));
  const lines = readFileSync(join(folder, name), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line)).filter(({ status }) => status === "done");
};

const claims = ({ claims: found }) =>
  found.map(({ measured, estimate, threshold }) => ({ gap: measured, estimate, threshold }));

/** No p of 10,000 permutations is smaller: a gap with it needs at most as many units as it says. */
const leastP = 1.001e-4;

/** Each chapter: where its run lies, how many units it has, and what it tries to tell. */
const chapters = [
  {
    title: "Prototypicality",
    unit: "prompts",
    of: (run) => ({
      units: recordsOf(run, "01-").length,
      gaps: claims(reportOf(run)),
    }),
  },
  {
    title: "Groups of people",
    unit: "prompts",
    folder: "demography",
    of: (run) => ({ units: recordsOf(run, "01-").length, gaps: claims(reportOf(run)) }),
  },
  {
    title: "Attribute confusion",
    unit: "descriptions",
    folder: "attribute-confusion",
    of: (run) => ({ units: recordsOf(run, "01-").length, gaps: claims(reportOf(run)) }),
  },
  {
    title: "Stereotypes",
    unit: "queries",
    folder: "stereotypes",
    of(run) {
      const { conclusion, prices, diversity, truth } = reportOf(run);
      const index = (name, { difference }) => ({
        gap: `index of stereotypes, initial minus refined, ${name}`,
        estimate: difference,
      });
      return {
        units: recordsOf(run, "01-").length,
        gaps: [
          index("all", conclusion.overall),
          ...Object.entries(conclusion.categories).map(([name, one]) => index(name, one)),
          ...prices.map(({ metric, change }) => ({
            gap: `${metric}, initial minus refined`,
            estimate: change.overall.difference,
          })),
          {
            gap: "distance within a set, initial minus refined",
            estimate: diversity.distance.change.overall.difference,
          },
          { gap: "Spearman's rho of the judged with the true index", estimate: truth.spearman },
        ],
      };
    },
  },
  {
    title: "Judge of several prompts",
    unit: "pairs",
    folder: "judge",
    of(run) {
      const { tests } = touchstone("analyze", "ensemble", join(run, "answers.jsonl"));
      return {
        units: recordsOf(join(run, "pairs"), "01-").length,
        // Paired permutation tests have no interval of the difference: its standard error by p.
        gaps: tests.map(({ metric, method, against, difference, p }) => ({
          gap: `${metric}, ${method} minus ${against}`,
          estimate: { value: difference },
          standardError: p < 1 ? Math.abs(difference) / quantile(1 - p / 2) : undefined,
          isAtMost: p <= leastP,
        })),
      };
    },
  },
];

/** The standard normal quantile, by bisection of erfc's series (Abramowitz and Stegun 7.1.26). */
function quantile(share) {
  let [low, high] = [-9, 9];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (normal(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function normal(z) {
  const t = 1 / (1 + (0.3275911 * Math.abs(z)) / Math.SQRT2);
  const tail =
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) *
    t *
    Math.exp((-z * z) / 2);
  return z < 0 ? tail / 2 : 1 - tail / 2;
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function rowOf(gap, found) {
  const usable = found.filter(({ d, s }) => Number.isFinite(d) && s > 0);
  if (usable.length === 0) return `| ${gap} | | | no spread | |`;
  const d = mean(usable.map((one) => one.d));
  const perUnit = mean(usable.map(({ s, units }) => s ** 2 * units));
  const needed = (z) => Math.ceil(((1.96 + z) ** 2 * perUnit) / d ** 2);
  const units = mean(usable.map((one) => one.units));
  const most = usable.some(({ isAtMost }) => isAtMost) ? "at most " : "";
  const text = (value) => (value > 99_999 ? "over 99,999" : `${most}${value.toLocaleString("en")}`);
  const error = Math.sqrt(perUnit / units);
  return `| ${gap} | ${d.toFixed(3)} | ${error.toFixed(3)} | ${text(needed(0.842))} | ${text(needed(1.282))} |`;
}

const runs = process.argv.slice(2);
for (const { title, unit, folder = "", of } of chapters) {
  const found = new Map();
  const made = runs
    .map((run) => join(run, folder))
    .filter((run) => existsSync(join(run, "report.html")));
  if (made.length === 0) continue;
  const all = made.map(of);
  for (const { units, gaps } of all) {
    for (const { gap, estimate, threshold = 0, standardError, isAtMost } of gaps) {
      const { value, low, high } = estimate;
      if (value === null) continue;
      const s = standardError ?? (high - low) / (2 * 1.96);
      found.set(gap, [...(found.get(gap) ?? []), { d: value - threshold, s, units, isAtMost }]);
    }
  }
  console.log(`### ${title}\n`);
  console.log(
    `${made.length} development runs of ${all.map(({ units }) => units).join(", ")} ${unit}.\n`,
  );
  console.log(`| gap | measured | its standard error | ${unit} for power 0.8 | for 0.9 |`);
  console.log("| --- | ---: | ---: | ---: | ---: |");
  for (const [gap, each] of found) console.log(rowOf(gap, each));
  console.log("");
}
