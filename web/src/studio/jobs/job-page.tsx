import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { JobDetail } from "../../../../src/studio/jobs/job-api.js";
import { Command } from "../../shell/command.js";
import { Frame } from "../../shell/frame.js";
import { Awaited, Failure } from "../../shell/notices.js";
import "./jobs.css";
import { isAtWork, jobQuery } from "./job-queries.js";
import { JobStateMark } from "./job-state.js";
import { useJobAction } from "./use-job-action.js";

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
      <Awaited of={{ data: job, error, refetch }} what="the job" />
      {job !== undefined && <JobBody job={job} />}
    </Frame>
  );
}

const verdictOr =
  (text: string) =>
  ({ verdict }: JobDetail): string =>
    verdict ?? text;

/** How the studio names the page of a study's folder. */
const studyId = (folder: string): string =>
  (folder === "." ? "study.json" : `${folder}/study.json`).replaceAll("/", "~");

const headings: Readonly<Record<JobDetail["state"], (job: JobDetail) => string>> = {
  starting: () => "Starting",
  running: () => "At work",
  done: verdictOr("Done"),
  incomplete: verdictOr("Incomplete: some of it has no answer yet"),
  "gate-missed": verdictOr("A gate was missed"),
  failed: ({ problem }) => (problem === undefined ? "It failed: the log says why" : "It failed"),
  stopped: verdictOr("Stopped: what it had is kept"),
  gone: () => "Killed before it ended; finished work is kept",
};

function JobBody({ job }: { readonly job: JobDetail }) {
  const { id, state, started, ended, progress, page, run, study, command, log } = job;
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
        {study !== undefined && (
          <Link className="button primary" to="/studies/$id" params={{ id: studyId(study) }}>
            {job.verb === "study serve" ? "Open its study" : "Ask people: open the study"}
          </Link>
        )}
        {page !== undefined && (
          <a className={study === undefined ? "button primary" : "button"} href={page}>
            Open its page
          </a>
        )}
        {run !== undefined && (
          <Link className="button primary" to="/runs/$run" params={{ run }}>
            Open its run
          </Link>
        )}
      </p>
      <JobProblem job={job} />
      <Actions job={job} />
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

/** Why a job failed, and how to mend that. */
export const JobProblem = ({ job: { problem } }: { readonly job: JobDetail }) =>
  problem === undefined ? null : (
    <div className="notice" role="alert">
      <p>
        <b>{problem.message}</b>
      </p>
      {problem.hint !== undefined && <p>{problem.hint}</p>}
    </div>
  );

function Actions({ job: { id, state, canRetry, goOn } }: { readonly job: JobDetail }) {
  const { act, problem } = useJobAction();
  const canResume = ["incomplete", "stopped", "gone", "failed"].includes(state);
  return (
    <>
      <div className="choices">
        {isAtWork(state) && (
          <button type="button" onClick={() => void act(`${id}/stop`)}>
            Stop
          </button>
        )}
        {canResume && (
          <button type="button" onClick={() => void act(`${id}/resume`)}>
            Resume
          </button>
        )}
        {goOn !== undefined && (
          <button type="button" onClick={() => void act(`${id}/go-on`)}>
            Compare with people's answers
          </button>
        )}
        {!isAtWork(state) && canRetry && (
          <button type="button" onClick={() => void act(`${id}/retry`)}>
            Ask again for what is unscored
          </button>
        )}
      </div>
      {problem !== undefined && <Failure error={problem} />}
    </>
  );
}
