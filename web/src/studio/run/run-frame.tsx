import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { exported } from "../../shell/api.js";
import { Frame } from "../../shell/frame.js";
import { countText } from "../../shell/numbers.js";
import { runQuery } from "../queries.js";
import { toRuns } from "../to-runs.js";

/** Frame of a page that is a part of a run: the way to it, and tabs to the other parts. */
export function RunFrame({
  run,
  title,
  heading,
  crumbs = [],
  children,
}: {
  readonly run: string;
  /** What the page shows of the run; nothing on the page of the run itself. */
  readonly title?: string;
  readonly heading?: ReactNode;
  /** Pages between the run and this one. */
  readonly crumbs?: readonly ReactNode[];
  readonly children: ReactNode;
}) {
  const name = useQuery(runQuery(run)).data?.name ?? run;
  const toRun = (
    <Link key="run" to="/runs/$run" params={{ run }}>
      {name}
    </Link>
  );
  return (
    <Frame
      wide
      title={title === undefined ? name : `${title} of ${name}`}
      heading={heading ?? title ?? name}
      crumbs={[toRuns, ...(title === undefined ? [] : [toRun]), ...crumbs]}
      tabs={<RunTabs run={run} />}
    >
      {children}
    </Frame>
  );
}

/** Leads to the parts of a run that there are. */
function RunTabs({ run }: { readonly run: string }) {
  const { data } = useQuery(runQuery(run));
  const params = { run };
  const options = { exact: true, includeSearch: false };
  const { images = 0, pairs = 0, isAudit = false, hasCards = false } = data ?? {};
  return (
    <nav className="tabs" aria-label="Parts of the run">
      <Link to="/runs/$run" params={params} activeOptions={options}>
        Overview
      </Link>
      {images > 0 && (
        <Link to="/runs/$run/gallery" params={params} activeOptions={options}>
          Images <small>{countText(images)}</small>
        </Link>
      )}
      {images > 0 && exported.source === undefined && (
        <Link to="/runs/$run/grid" params={params} activeOptions={options}>
          Grid
        </Link>
      )}
      {pairs > 0 && (
        <Link to="/runs/$run/pairs" params={params} activeOptions={options}>
          Pairs <small>{countText(data?.filter?.kept ?? pairs)}</small>
        </Link>
      )}
      {isAudit && (
        <Link to="/runs/$run/audit" params={params} activeOptions={{ includeSearch: false }}>
          Audit
        </Link>
      )}
      {(data?.imageModels ?? 1) > 1 && (
        <Link to="/compare" search={{ run }}>
          Compare models
        </Link>
      )}
      {hasCards && (
        <Link to="/cards" search={{ from: [`run:${run}`] }}>
          Trust cards
        </Link>
      )}
      {data?.report !== undefined && <a href={data.report}>Report</a>}
    </nav>
  );
}
