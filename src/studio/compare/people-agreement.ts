import { correlation } from "../../analysis/correlation/correlation.js";
import type { RunView } from "../run-view.js";
import type { ScoreTable } from "../score-table.js";
import type { PeopleAgreement } from "./run-comparison.js";

/** A metric by its name, with its scores in each run that has it. */
type Compared = readonly [
  name: string,
  tables: ReadonlyMap<{ readonly view: RunView }, ScoreTable>,
];

/**
 * How well each metric follows people, as `analyze correlation` has it, over the images that people
 * rated; of a metric where lower is better, its negative. Empty where nobody rated any.
 *
 * @param promptOf what an image is clustered by
 */
export function peopleAgreement(
  compared: readonly Compared[],
  promptOf: (view: RunView, at: number) => string,
): ReadonlyMap<string, PeopleAgreement> {
  const isPeople = ([, tables]: Compared) => [...tables.values()].some((one) => one.isByPeople);
  const [people] = compared.filter(isPeople);
  const metrics = compared.filter((one) => !isPeople(one));
  if (people === undefined || metrics.length === 0) return new Map();
  const rows = [...people[1]].flatMap(([run, ratings]) =>
    run.view.index.rows.flatMap(({ key }, at) => {
      const human = ratings.value(at);
      if (Number.isNaN(human)) return [];
      const scores = metrics.map(([, tables]) => {
        const table = tables.get(run);
        const value = table?.value(at) ?? Number.NaN;
        if (Number.isNaN(value)) return null;
        return table?.direction === "lower" ? -value : value;
      });
      return [{ id: key, prompt: promptOf(run.view, at), human, scores }];
    }),
  );
  const names = metrics.map(([name]) => name);
  const conclusion = correlation({ human: people[0], metrics: names, rows });
  return new Map(
    Object.entries(conclusion.metrics).map(([name, { n, kendallTauB, pairwiseAccuracy }]) => [
      name,
      { n, kendallTauB, pairwiseAccuracy },
    ]),
  );
}
