import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { RunDetail } from "../../../../src/studio/api.js";
import { Command } from "../../shell/command.js";
import { useKeys } from "../../shell/keys.js";
import { Awaited } from "../../shell/notices.js";
import { Noted } from "../notes/noted.js";
import { runQuery } from "../queries.js";
import type { Searched } from "../search-text.js";
import { useUp } from "../use-up.js";
import { ColumnTable } from "./column-table.js";
import { useLiveRun } from "./live-run.js";
import type { OverviewSearch } from "./overview-search.js";
import { RunFrame } from "./run-frame.js";
import { RunOverview } from "./run-overview.js";
import { RunStateMark } from "./run-state.js";
import { StepTable } from "./step-table.js";
import { WorkInHand } from "./work-in-hand.js";

/** Verdict of a run, its progress, and what there is to look at. */
export function RunPage({
  run,
  search,
  onSearch,
}: Searched<OverviewSearch> & { readonly run: string }) {
  useLiveRun(run);
  const navigate = useNavigate();
  useKeys([
    {
      key: "g",
      does: "its images",
      run: () => void navigate({ to: "/runs/$run/gallery", params: { run } }),
    },
    {
      key: "p",
      does: "its pairs",
      run: () => void navigate({ to: "/runs/$run/pairs", params: { run } }),
    },
    { key: "x", does: "every row of its tables", run: () => onSearch({}) },
  ]);
  useUp();
  const { data, error, refetch } = useQuery(runQuery(run));
  return (
    <RunFrame run={run}>
      <Awaited of={{ data, error, refetch }} what="the run" />
      {data !== undefined && <RunSummary detail={data} search={search} onSearch={onSearch} />}
    </RunFrame>
  );
}

function RunSummary({
  detail,
  search,
  onSearch,
}: Searched<OverviewSearch> & { readonly detail: RunDetail }) {
  const { id, state, sentences, steps, columns, commands, atWork, index, concludedIn } = detail;
  const [first, ...others] = sentences;
  const more = [...others, ...(detail.sanity === undefined ? [] : [detail.sanity])];
  const canReport = detail.isAudit || detail.hasCards;
  return (
    <>
      <p className="quiet">
        <RunStateMark state={state} />
        {atWork.length > 0 && <> · {atWork.join(", ")}</>}
      </p>
      {state === "live" && <WorkInHand step={steps.find(({ isFinished }) => !isFinished)} />}
      {state === "unfinished" && steps.length > 0 && (
        <>
          <p>Nobody is at work on it. Go on with it:</p>
          <Command text={`touchstone run resume ${detail.path}`} />
        </>
      )}
      {!index.isReady && (
        <p role="status">
          Reading its records: <progress value={index.read} max={Math.max(1, index.total)} />
        </p>
      )}
      {first === undefined ? (
        <p>No verdict was drawn from it yet.{canReport && " Its report draws one:"}</p>
      ) : (
        <p className="lead">{first}</p>
      )}
      {first === undefined && canReport && <Command text={`touchstone report ${detail.path}`} />}
      {concludedIn !== undefined && (
        <p className="quiet">
          Concluded from it and others in the report of {concludedIn}; the run itself holds what was
          collected.
        </p>
      )}
      {index.isReady && <RunOverview detail={detail} search={search} onSearch={onSearch} />}
      {more.length > 0 && (
        <details>
          <summary>What else is known</summary>
          <ul>
            {more.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
      )}
      {columns.length > 0 && <ColumnTable columns={columns} run={id} />}
      <h2>Notes</h2>
      <Noted run={id} />
      <StepTable steps={steps} />
      <h2>How it was made</h2>
      {commands.map((command) => (
        <Command key={command} text={command} />
      ))}
      <p className="quiet">
        Seed {detail.seed}, {detail.software.join(", ")}
      </p>
    </>
  );
}
