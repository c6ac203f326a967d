import type { ComparedMetric } from "../../../../src/studio/compare/compare-runs.js";
import { Empty } from "../../shell/notices.js";
import { pluralText } from "../../shell/numbers.js";
import { ViewTableView } from "../../shell/view-table.js";
import { FlipList } from "./flip-list.js";
import { WinMatrix } from "./win-matrix.js";

/** Compares the models that each metric scored; of one model there is nothing to say. */
export function MetricSections({
  metrics,
  ...runs
}: {
  readonly metrics: readonly ComparedMetric[];
  readonly before: string | undefined;
  readonly after: string | undefined;
}) {
  const shared = metrics.filter(({ means }) => Object.keys(means).length > 1);
  const alone = metrics.length - shared.length;
  return (
    <>
      {shared.length === 0 && (
        <Empty title="No metric scored both">
          <p>Score the images of one run by a metric of the other, or choose another run.</p>
        </Empty>
      )}
      {shared.length > 0 && alone > 0 && (
        <p className="quiet">
          {pluralText(alone, "metric")} scored one model only and {alone === 1 ? "is" : "are"} not
          compared.
        </p>
      )}
      {shared.map((metric) => (
        <MetricSection key={metric.name} metric={metric} {...runs} />
      ))}
    </>
  );
}

function MetricSection({
  metric: { name, verdict, wins, tables, warnings, flips },
  before,
  after,
}: {
  readonly metric: ComparedMetric;
  readonly before: string | undefined;
  readonly after: string | undefined;
}) {
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <p>{verdict}</p>
      {flips !== null && before !== undefined && after !== undefined && (
        <FlipList flips={flips} before={before} after={after} />
      )}
      <details>
        <summary>Win rates, tables and caveats</summary>
        {wins.length > 0 && <WinMatrix metric={name} wins={wins} />}
        {tables.map((table) => (
          <ViewTableView key={table.title} table={table} />
        ))}
        <ul>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      </details>
    </section>
  );
}
