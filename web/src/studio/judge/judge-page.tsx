import { useQuery } from "@tanstack/react-query";
import { certify } from "../../../../src/ensembles/selective-certificate.js";
import { measuresOfJudge } from "../../../../src/report/text/judge-measures.js";
import type { JudgeDetail } from "../../../../src/studio/judges/judge-detail.js";
import { certificateText } from "../../../../src/views/certificate-text.js";
import { estimateText } from "../../../../src/views/number-text.js";
import { Command } from "../../shell/command.js";
import { Drawn } from "../../shell/drawn.js";
import { Frame } from "../../shell/frame.js";
import { Awaited } from "../../shell/notices.js";
import { pluralText } from "../../shell/numbers.js";
import { Scroll } from "../../shell/scroll.js";
import { asked } from "../asked.js";
import type { Searched } from "../search-text.js";
import { toRuns } from "../to-runs.js";
import { useUp } from "../use-up.js";
import type { JudgeSearch } from "./judge-search.js";
import { TargetTable } from "./target-table.js";
import { Threshold } from "./threshold.js";
import { WeightTable } from "./weight-table.js";

const judgeQuery = (id: string) =>
  asked<JudgeDetail>(["judge", id], `/api/judges/${encodeURIComponent(id)}`);

/** A saved judge: whether it can be believed, and what it may decide alone. */
export function JudgePage({
  id,
  search,
  onSearch,
}: Searched<JudgeSearch> & { readonly id: string }) {
  useUp();
  const { data, error, refetch } = useQuery(judgeQuery(id));
  return (
    <Frame title={`Judge ${data?.name ?? id}`} crumbs={[toRuns]}>
      <Awaited of={{ data, error, refetch }} what="the judge" />
      {data !== undefined && <Shown judge={data} search={search} onSearch={onSearch} />}
    </Frame>
  );
}

function Shown({
  judge,
  search,
  onSearch,
}: Searched<JudgeSearch> & { readonly judge: JudgeDetail }) {
  const { certification, calibration, reliability, labels, model, prompts } = judge;
  const { confidence, tries, counts, n } = certification;
  const wanted = { target: search.target ?? certification.target, confidence, tries };
  const certificate = certify(counts, n, wanted);
  return (
    <>
      <p className="lead">{certificateText(certificate, judge, wanted)}</p>
      <p className="quiet">
        {model.model}, {pluralText(prompts.length, "prompt")}, {pluralText(labels.n, "label")}:{" "}
        {labels.fitting} fit, {labels.deciding} decide
      </p>
      {n > 0 && (
        <Threshold
          judge={judge}
          certified={certificate.threshold}
          search={search}
          onSearch={onSearch}
        />
      )}
      <h2>What a target error costs</h2>
      <TargetTable
        judge={judge}
        target={wanted.target}
        onTarget={(target) => onSearch({ target })}
      />
      <p className="quiet">The promise is exact where its target was chosen before looking.</p>
      <h2>Can its confidence be believed?</h2>
      {calibration === null ? (
        <p>It was measured on no label: all of them fit.</p>
      ) : (
        <div className="judge-measured">
          {reliability !== null && <Drawn figure={reliability} />}
          <Scroll label="Measured">
            <table>
              <thead>
                <tr>
                  <th>on {pluralText(calibration.n, "held-out label")}</th>
                  <th>estimate</th>
                </tr>
              </thead>
              <tbody>
                {measuresOfJudge(judge).map(([name, estimate]) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>{estimateText(estimate)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </div>
      )}
      <WeightTable judge={judge} />
      <h2>How it was made</h2>
      <Command text={judge.made} />
    </>
  );
}
