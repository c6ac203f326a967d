import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { boundsTable, initialTable } from "../../../../src/benchmarks/stereotypes/index-tables.js";
import {
  indexTable,
  stereotypesView,
  testTable,
} from "../../../../src/conclusions/stereotypes/view.js";
import type { AuditDetail } from "../../../../src/studio/audits/audit-api.js";
import { useKeys } from "../../shell/keys.js";
import { Awaited } from "../../shell/notices.js";
import { countText, pluralText } from "../../shell/numbers.js";
import { Plot } from "../../shell/plot.js";
import { ViewTableView } from "../../shell/view-table.js";
import { RunFrame } from "../run/run-frame.js";
import { useUp } from "../use-up.js";
import { auditQuery } from "./audit-queries.js";
import { ItemRates } from "./item-rates.js";
import { Price } from "./price.js";

/** How stereotyped a generator's images are, before and after prompts were refined, and what that cost. */
export function AuditPage({ run }: { readonly run: string }) {
  const navigate = useNavigate();
  const sets = () => void navigate({ to: "/runs/$run/audit/sets", params: { run } });
  useKeys([{ key: "s", does: "its sets of images", run: sets }]);
  useUp("the run", { to: "/runs/$run", params: { run } });
  const { data, error, refetch } = useQuery(auditQuery(run));
  return (
    <RunFrame run={run} title="Audit">
      <Awaited of={{ data, error, refetch }} what="the audit" />
      {data !== undefined && <Shown run={run} audit={data} />}
    </RunFrame>
  );
}

function Shown({ run, audit }: { readonly run: string; readonly audit: AuditDetail }) {
  const { verdict, figures, isRefined, conclusion, prices, items, sets, judges } = audit;
  const [first, ...others] = verdict;
  const { method } = stereotypesView(conclusion);
  const { title, caption, svg, narrow } = figures.index;
  return (
    <>
      <p className="lead">{first}</p>
      <p>
        <Link to="/runs/$run/audit/sets" params={{ run }} className="button">
          Look at its {pluralText(sets, "set")} of images
        </Link>{" "}
        <span className="quiet">judged by {judges.join(", ")}</span>
      </p>
      <Plot svg={svg} narrow={narrow} description={title} caption={caption} />
      {others.length > 0 && (
        <ul>
          {others.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      <h2>Index</h2>
      {isRefined ? (
        <>
          <ViewTableView table={indexTable(conclusion)} />
          <details>
            <summary>Paired t-test</summary>
            <ViewTableView table={testTable(conclusion)} />
          </details>
        </>
      ) : (
        <ViewTableView table={initialTable(audit)} />
      )}
      <h2>Rubric items</h2>
      <ItemRates run={run} items={items} isRefined={isRefined} />
      <h2>What refining costs</h2>
      {isRefined ? (
        <>
          <p>
            Images of both phases are scored against the original query: a picture that no longer
            shows what was asked for is no success.
          </p>
          {prices.length === 0 && (
            <p>
              No metric scored them. Name metrics under <code>alignment</code> in the audit's
              configuration.
            </p>
          )}
          {prices.map((price, at) => (
            <Price
              key={`${price.metric} ${price.model}`}
              price={price}
              figure={figures.prices[at] ?? null}
            />
          ))}
          <p>
            Images that are, to the byte, another image of their set:{" "}
            {countText(audit.same.initial.same)} of {countText(audit.same.initial.images)} before,{" "}
            {countText(audit.same.refined.same)} of {countText(audit.same.refined.images)} after.
          </p>
        </>
      ) : (
        <p>Nothing was judged after refining, so nothing is known of its price.</p>
      )}
      <h2>What has no answer</h2>
      <ViewTableView table={boundsTable(audit)} />
      <Caveats audit={audit} method={method} />
      <h2>What the index is not</h2>
      <p className="prose">{audit.notice}</p>
    </>
  );
}

function Caveats({
  audit: { conclusion, refining, isRefined },
  method,
}: {
  readonly audit: AuditDetail;
  readonly method: string;
}) {
  const { kept, clean, refused, keptOut } = refining;
  return (
    <ul className="quiet">
      {kept + clean + keptOut > 0 && (
        <li>
          {pluralText(kept, "rewrite")} kept the rules, {countText(refused)} broke one and{" "}
          {refused === 1 ? "was" : "were"} asked again; in the images of {countText(clean)}{" "}
          {clean === 1 ? "query" : "queries"} nothing was found; {countText(keptOut)} got no
          rewrite.
        </li>
      )}
      {isRefined && conclusion.warnings.map((warning) => <li key={warning}>{warning}</li>)}
      <li>{method}</li>
    </ul>
  );
}
