import { useQuery } from "@tanstack/react-query";
import type { ListedRun } from "../../../../src/studio/api.js";
import { Frame } from "../../shell/frame.js";
import { useKeys } from "../../shell/keys.js";
import { Empty, Failure, Loading } from "../../shell/notices.js";
import { NoRun } from "../no-run.js";
import { compareQuery, runsQuery } from "../queries.js";
import { type Searched, searchTexts } from "../search-text.js";
import { toRuns } from "../to-runs.js";
import { useUp } from "../use-up.js";
import { ChangedPairs } from "./changed-pairs.js";
import { MeansTable } from "./means-table.js";
import { MetricSections } from "./metric-sections.js";

/** Which runs stand beside each other. */
export interface CompareSearch {
  readonly run?: string;
  readonly beside?: string;
}

export const compareSearch = (given: Readonly<Record<string, unknown>>): CompareSearch =>
  searchTexts(given, ["run", "beside"]);

/** Models by metrics, with intervals: of one run, or of two beside each other and what flipped. */
export function ComparePage({ search, onSearch }: Searched<CompareSearch>) {
  const listed = useQuery(runsQuery);
  const runs = (listed.data?.runs ?? []).filter(({ state }) => state !== "broken");
  const run = search.run ?? mostToCompare(runs)?.id;
  const { beside } = search;
  const chosen = [run, beside].filter((one) => one !== undefined);
  const { data, error, refetch } = useQuery(compareQuery(chosen));
  const swap = () =>
    run !== undefined && beside !== undefined && onSearch({ run: beside, beside: run });
  useKeys([{ key: "s", does: "swap the two runs", run: swap }]);
  useUp();
  return (
    <Frame title="Compare" crumbs={[toRuns]}>
      <div className="choices" hidden={runs.length === 0}>
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
        <NoRun title="No run to compare yet" directory={listed.data.directory} />
      )}
      {run !== undefined && data === undefined && error === null && <Loading what="the scores" />}
      {data !== undefined && data.metrics.length === 0 && (
        <Empty title="No scores to compare">
          <p>No metric has scored images of {beside === undefined ? "it" : "them"} yet.</p>
        </Empty>
      )}
      {data?.excluded.map((warning) => (
        <p key={warning} role="note">
          {warning}. No figure here counts them.
        </p>
      ))}
      {data !== undefined && data.metrics.length > 0 && <MeansTable comparison={data} />}
      {data?.models.length === 1 && (
        <OneModel
          model={data.models[0] ?? ""}
          others={runs.filter(({ id }) => id !== run)}
          onBeside={(id) => onSearch({ ...(run === undefined ? {} : { run }), beside: id })}
        />
      )}
      {data !== undefined && data.models.length > 1 && (
        <MetricSections metrics={data.metrics} before={run} after={beside} />
      )}
      {run !== undefined && beside !== undefined && run !== beside && (
        <ChangedPairs before={run} after={beside} />
      )}
    </Frame>
  );
}

/** The run that has most to say of itself: one with several models, and a verdict if any has. */
function mostToCompare(runs: readonly ListedRun[]): ListedRun | undefined {
  const several = runs.filter(({ imageModels = 1 }) => imageModels > 1);
  return several.find(({ verdict }) => verdict !== null) ?? several[0] ?? runs[0];
}

/** Tells how to compare a run of one model. */
function OneModel({
  model,
  others,
  onBeside,
}: {
  readonly model: string;
  readonly others: readonly ListedRun[];
  readonly onBeside: (run: string) => void;
}) {
  return (
    <Empty title="One model, nothing to compare it with">
      <p>{model} made all images of this run. Two models are needed, or two runs.</p>
      {others.length > 0 ? (
        <ul className="choices">
          {others.map(({ id, name }) => (
            <li key={id}>
              <button type="button" onClick={() => onBeside(id)}>
                Beside {name}
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p>Make another run with another model or seed in the same folder; it shows here.</p>
      )}
    </Empty>
  );
}
