import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { JobDetail, StartedJob } from "../../../../src/studio/jobs/job-api.js";
import { send } from "../../shell/api.js";
import { Command } from "../../shell/command.js";
import { Frame } from "../../shell/frame.js";
import { Failure, Loading } from "../../shell/notices.js";
import "./jobs.css";
import { isAtWork, jobQuery } from "./job-queries.js";
import { JobStateMark } from "./job-state.js";

/** Page of a job: its verdict once it has one, until then how far it is; what can be done with it; its log. */
export function JobPage({ id }: { readonly id: string }) {
  const { data: job, error, refetch } = useQuery(jobQuery(id));
  return (
    <Frame
      title={job?.verb ?? "Job"}
      heading={job === undefined ? "Job" : headings[job.state](job)}
      crumbs={[
        <Link key="jobs" to="/jobs">
          Jobs
        </Link>,
      ]}
    >
      {error !== null && <Failure error={error} retry={() => void refetch()} />}
      {job === undefined && error === null && <Loading what="the job" />}
      {job !== undefined && <JobBody job={job} />}
    </Frame>
  );
}

const verdictOr =
  (text: string) =>
  ({ verdict }: JobDetail): string =>
    verdict ?? text;

const headings: Readonly<Record<JobDetail["state"], (job: JobDetail) => string>> = {
  starting: () => "Starting",
  running: () => "At work",
  done: verdictOr("Done"),
  incomplete: verdictOr("Incomplete: some of it has no answer yet"),
  "gate-missed": verdictOr("A gate was missed"),
  failed: () => "It failed: the log says why",
  stopped: verdictOr("Stopped: what it had is kept"),
  gone: () => "Killed before it ended; finished work is kept",
};

function JobBody({ job }: { readonly job: JobDetail }) {
  const { id, state, started, ended, progress, page, run, goOn, command, log } = job;
  return (
    <>
      <p className="job-facts">
        <JobStateMark state={state} /> · started{" "}
        <time dateTime={started}>{new Date(started).toLocaleString()}</time>
        {ended !== undefined && (
          <>
            {" "}
            · ended <time dateTime={ended}>{new Date(ended).toLocaleString()}</time>
          </>
        )}
      </p>
      {isAtWork(state) && (
        <p role="status" className="job-progress">
          {progress ?? "Nothing is counted yet."}
        </p>
      )}
      <p className="choices">
        {page !== undefined && (
          <a className="primary" href={page}>
            Open its page
          </a>
        )}
        {run !== undefined && (
          <Link className="primary" to="/runs/$run" params={{ run }}>
            Open its run
          </Link>
        )}
      </p>
      <Actions job={job} />
      {goOn !== undefined && (
        <>
          <h2>Once people have answered</h2>
          <Command text={goOn} />
        </>
      )}
      <h2>Command</h2>
      <Command text={command} />
      <p>
        <Link to="/new" search={{ from: id }}>
          Start another like it
        </Link>
      </p>
      <h2>Log</h2>
      {log === "" ? (
        <p className="quiet">It said nothing.</p>
      ) : (
        <pre className="job-log">{log}</pre>
      )}
    </>
  );
}

function Actions({ job: { id, state, canRetry } }: { readonly job: JobDetail }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<Error>();
  const act = async (what: "stop" | "resume" | "retry") => {
    try {
      setProblem(undefined);
      const answer = await send<Partial<StartedJob>>(`/api/jobs/${id}/${what}`, {});
      await queries.invalidateQueries({ queryKey: ["jobs"] });
      if (answer.id !== undefined) await navigate({ to: "/jobs/$id", params: { id: answer.id } });
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const canResume = ["incomplete", "stopped", "gone", "failed"].includes(state);
  return (
    <>
      <div className="choices">
        {isAtWork(state) && (
          <button type="button" onClick={() => void act("stop")}>
            Stop
          </button>
        )}
        {canResume && (
          <button type="button" onClick={() => void act("resume")}>
            Resume
          </button>
        )}
        {!isAtWork(state) && canRetry && (
          <button type="button" onClick={() => void act("retry")}>
            Ask again for what is unscored
          </button>
        )}
      </div>
      {problem !== undefined && <Failure error={problem} />}
    </>
  );
}
