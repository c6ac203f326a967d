import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { estimateText, percentText } from "../../../../src/report/text/number-text.js";
import type {
  ComparedMetric,
  RunComparison,
} from "../../../../src/studio/compare/run-comparison.js";
import { Frame } from "../../shell/frame.js";
import { useKeys } from "../../shell/keys.js";
import { Empty, Failure, Loading } from "../../shell/notices.js";
import { Scroll } from "../../shell/scroll.js";
import { TextTableView } from "../../shell/text-table.js";
import { compareQuery, runsQuery } from "../queries.js";
import { FlipList } from "./flip-list.js";
import { WinMatrix } from "./win-matrix.js";
import "./compare.css";

/** Which runs stand beside each other. */
export interface CompareSearch {
  readonly run?: string;
  readonly beside?: string;
}

export const compareSearch = ({
  run,
  beside,
}: Readonly<Record<string, unknown>>): CompareSearch => ({
  ...(typeof run === "string" ? { run } : {}),
  ...(typeof beside === "string" ? { beside } : {}),
});

/** Models by metrics, with intervals: of one run, or of two beside each other and what flipped. */
export function ComparePage({
  search,
  onSearch,
}: {
  readonly search: CompareSearch;
  readonly onSearch: (search: CompareSearch) => void;
}) {
  const navigate = useNavigate();
  const listed = useQuery(runsQuery);
  const runs = (listed.data?.runs ?? []).filter(({ state }) => state !== "broken");
  const run = search.run ?? runs[0]?.id;
  const { beside } = search;
  const chosen = [run, beside].filter((one) => one !== undefined);
  const { data, error, refetch } = useQuery(compareQuery(chosen));
  const swap = () =>
    run !== undefined && beside !== undefined && onSearch({ run: beside, beside: run });
  useKeys([
    { key: "s", does: "swap the two runs", run: swap },
    { key: "u", does: "up: all runs", run: () => void navigate({ to: "/" }) },
  ]);
  return (
    <Frame
      title="Compare"
      crumbs={[
        <Link key="runs" to="/">
          Runs
        </Link>,
      ]}
    >
      <div className="choices">
        <label htmlFor="compare-run">Run</label>
        <select
          id="compare-run"
          value={run ?? ""}
          onChange={({ target }) => onSearch({ ...search, run: target.value })}
        >
          {runs.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <label htmlFor="compare-beside">beside</label>
        <select
          id="compare-beside"
          value={beside ?? ""}
          onChange={({ target }) =>
            onSearch({
              ...(run === undefined ? {} : { run }),
              ...(target.value === "" ? {} : { beside: target.value }),
            })
          }
        >
          <option value="">no other run</option>
          {runs
            .filter(({ id }) => id !== run)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </select>
      </div>
      {error !== null && <Failure error={error} retry={() => refetch()} />}
      {listed.error !== null && <Failure error={listed.error} retry={() => listed.refetch()} />}
      {listed.data !== undefined && runs.length === 0 && (
        <Empty title="No run to compare yet">
          <p>This command makes one, offline, in a few minutes:</p>
          <pre>touchstone demo --run {listed.data.directory}/demo</pre>
        </Empty>
      )}
      {run !== undefined && data === undefined && error === null && <Loading what="the scores" />}
      {data !== undefined && data.metrics.length === 0 && (
        <Empty title="Nothing to compare">
          <p>No metric has scored images of it yet. The run's page says how to go on.</p>
        </Empty>
      )}
      {data !== undefined && data.metrics.length > 0 && <Overview comparison={data} />}
      {data?.models.length === 1 && (
        <p>One model made all of its images. Choose a run to stand beside it.</p>
      )}
      {data !== undefined &&
        data.models.length > 1 &&
        data.metrics.map((metric) => (
          <MetricSection key={metric.name} metric={metric} before={run} after={beside} />
        ))}
    </Frame>
  );
}

/** Every model's mean score by every metric, each in the metric's own unit, and how well it follows people. */
function Overview({ comparison: { models, metrics } }: { readonly comparison: RunComparison }) {
  const hasPeople = metrics.some(({ people }) => people !== null);
  return (
    <>
      <p className="quiet">
        Mean score of each model, with its 95 % interval, and n images.
        {hasPeople &&
          " Beside it how well the metric follows people on the images that they rated: Kendall's tau-b, and the share of pairs of images in people's order."}
      </p>
      <Scroll label="Models by metrics">
        <table>
          <thead>
            <tr>
              <th scope="col">metric</th>
              {models.map((model) => (
                <th key={model} scope="col" className="number">
                  {model}
                </th>
              ))}
              {hasPeople && (
                <>
                  <th scope="col" className="number">
                    tau-b with people
                  </th>
                  <th scope="col" className="number">
                    pairs as people, %
                  </th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {metrics.map(({ name, means, people }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {models.map((model) => {
                  const mean = means[model];
                  return (
                    <td key={model} className="number">
                      {mean === undefined ? "–" : `${estimateText(mean)}, n ${mean.n}`}
                    </td>
                  );
                })}
                {hasPeople && (
                  <>
                    <td className="number">
                      {people === null ? "–" : `${estimateText(people.kendallTauB)}, n ${people.n}`}
                    </td>
                    <td className="number">
                      {people === null ? "–" : percentText(people.pairwiseAccuracy)}
                    </td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
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
      {wins.length > 0 && <WinMatrix wins={wins} />}
      {flips !== null && before !== undefined && after !== undefined && (
        <FlipList flips={flips} before={before} after={after} />
      )}
      <details>
        <summary>Tables and caveats</summary>
        {tables.map((table) => (
          <TextTableView key={table.title} table={table} />
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
