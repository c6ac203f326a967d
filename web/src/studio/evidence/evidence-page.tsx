import { useQuery } from "@tanstack/react-query";
import type { EvidencePage as Page } from "../../../../src/studio/evidence/evidence-api.js";
import { AnalysedView } from "../../analyse/analysed-view.js";
import { searchOf } from "../../shell/api.js";
import { Choice } from "../../shell/choice.js";
import { Frame } from "../../shell/frame.js";
import { Awaited } from "../../shell/notices.js";
import { asked } from "../asked.js";
import { type Searched, withoutEmpty } from "../search-text.js";
import { toRuns } from "../to-runs.js";
import type { EvidenceSearch } from "./evidence-search.js";

const evidenceQuery = (search: EvidenceSearch) =>
  asked<Page>(["evidence", search], `/api/evidence${searchOf({ ...search })}`, {
    placeholderData: (before) => before,
  });

/** Which metric agrees with people, by published sets. */
export function EvidencePage({ search, onSearch }: Searched<EvidenceSearch>) {
  const { data, error, refetch } = useQuery(evidenceQuery(search));
  return (
    <Frame wide title="Published evidence" crumbs={[toRuns]}>
      <Awaited of={{ data, error, refetch }} what="the evidence" />
      {data !== undefined && (
        <>
          <form className="filters" onSubmit={(event) => event.preventDefault()}>
            <Choice
              name="People were asked about"
              of={data.questions}
              value={search.for ?? data.questions[0]}
              onValue={(question) => onSearch({ for: question })}
            />
            <Choice
              name="Metric"
              of={data.metrics}
              value={search.metric}
              any="all"
              onValue={(metric) => onSearch(withoutEmpty<EvidenceSearch>({ ...search, metric }))}
            />
          </form>
          <AnalysedView analysed={data} name="evidence" />
        </>
      )}
    </Frame>
  );
}
