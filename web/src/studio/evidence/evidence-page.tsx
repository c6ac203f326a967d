import { useQuery } from "@tanstack/react-query";
import type { EvidencePage as Page } from "../../../../src/studio/evidence/evidence-api.js";
import { AnalysedView } from "../../analyse/analysed-view.js";
import { searchOf } from "../../shell/api.js";
import { Frame } from "../../shell/frame.js";
import { Failure, Loading } from "../../shell/notices.js";
import { asked } from "../asked.js";
import { toRuns } from "../to-runs.js";
import type { EvidenceSearch } from "./evidence-search.js";

const evidenceQuery = (search: EvidenceSearch) =>
  asked<Page>(["evidence", search], `/api/evidence${searchOf({ ...search })}`, {
    placeholderData: (before) => before,
  });

/** Which metric agrees with people, by published sets. */
export function EvidencePage({
  search,
  onSearch,
}: {
  readonly search: EvidenceSearch;
  readonly onSearch: (search: EvidenceSearch) => void;
}) {
  const { data, error, refetch } = useQuery(evidenceQuery(search));
  return (
    <Frame wide title="Published evidence" crumbs={[toRuns]}>
      {error !== null && <Failure error={error} retry={() => refetch()} />}
      {data === undefined && error === null && <Loading what="the evidence" />}
      {data !== undefined && (
        <>
          <form className="filters" onSubmit={(event) => event.preventDefault()}>
            <label>
              People were asked about
              <select
                value={search.for ?? data.questions[0]}
                onChange={({ target }) => onSearch({ for: target.value })}
              >
                {data.questions.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            </label>
            <label>
              Metric
              <select
                value={search.metric ?? ""}
                onChange={({ target: { value } }) =>
                  onSearch({
                    ...(search.for === undefined ? {} : { for: search.for }),
                    ...(value === "" ? {} : { metric: value }),
                  })
                }
              >
                <option value="">all</option>
                {data.metrics.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            </label>
          </form>
          <AnalysedView analysed={data} name="evidence" />
        </>
      )}
    </Frame>
  );
}
