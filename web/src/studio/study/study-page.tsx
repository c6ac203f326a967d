import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { shellWord } from "../../../../src/core/shell-word.js";
import type {
  StudyDetail,
  StudyInvitations,
} from "../../../../src/studio/studies/studio-studies.js";
import { send } from "../../shell/api.js";
import { Command } from "../../shell/command.js";
import { Frame } from "../../shell/frame.js";
import { Awaited, Failure } from "../../shell/notices.js";
import { pluralText } from "../../shell/numbers.js";
import { InviteForm } from "../../study-status/invite-form.js";
import { StudyProgress } from "../../study-status/study-progress.js";
import { asked } from "../asked.js";
import { JobProblem } from "../jobs/job-page.js";
import { isAtWork, jobQuery, jobsQuery } from "../jobs/job-queries.js";
import { useJobAction } from "../jobs/use-job-action.js";
import { toRuns } from "../to-runs.js";
import { useUp } from "../use-up.js";
import { Labels } from "./study-labels.js";

const addressOf = (id: string) => `/api/studies/${encodeURIComponent(id)}`;

const studyQuery = (id: string) =>
  asked<StudyDetail>(["study", id], addressOf(id), {
    refetchInterval: 5000,
  });

const answersOf = ({ blocks }: StudyDetail["status"]) =>
  blocks.reduce((sum, block) => sum + block.answers, 0);

/** Where a human study stands: progress, agreement so far, quality, invitations. */
export function StudyPage({ id }: { readonly id: string }) {
  useUp();
  const { data, error, refetch } = useQuery(studyQuery(id));
  return (
    <Frame title={data?.status.title ?? "Study"} crumbs={[toRuns]}>
      <Awaited of={{ data, error, refetch }} what="the study" />
      {data !== undefined && (
        <>
          <NextStep study={data} />
          <StudyProgress status={data.status} />
          <Labels address={addressOf(id)} answers={answersOf(data.status)} />
          <Invitations study={data} />
          <InTerminal study={data} />
        </>
      )}
    </Frame>
  );
}

/** Links by which people join; they are shown once, and kept nowhere. */
function Invitations({ study: { id, url, status } }: { readonly study: StudyDetail }) {
  const [address, setAddress] = useState("");
  const { mutate, data, error } = useMutation({
    mutationFn: (count: number) =>
      send<StudyInvitations>(`${addressOf(id)}/invitations`, {
        count,
        ...(address.trim() === "" ? {} : { url: address.trim() }),
      }),
  });
  if (status.closedAt !== null) return null;
  return (
    <>
      <h2>Invitations</h2>
      <InviteForm onInvite={mutate}>
        <label>
          Address that participants open{" "}
          <input
            type="url"
            required={url === null}
            placeholder={url ?? "https://study.example.org"}
            value={address}
            onChange={({ target }) => setAddress(target.value)}
          />
        </label>{" "}
      </InviteForm>
      {error !== null && <Failure error={error} />}
      {data !== undefined && (
        <>
          <p role="status">
            {pluralText(data.links.length, "link")}, for one person each. They are kept nowhere:
            copy them now.
          </p>
          <Command text={data.links.join("\n")} />
        </>
      )}
    </>
  );
}

/** Whether people can take part now, and what to do next. */
function NextStep({ study: { inside, url, own, status } }: { readonly study: StudyDetail }) {
  const { data } = useQuery(jobsQuery);
  const serving = useJobAction({ stay: true });
  const going = useJobAction();
  const ofIt = (data?.jobs ?? []).filter(({ study }) => study === inside);
  const asked = ofIt.find(({ verb }) => verb !== "study serve");
  const server = ofIt.find(({ verb }) => verb === "study serve");
  const served = server !== undefined && isAtWork(server.state) ? server : undefined;
  const hasFailed = server !== undefined && ["failed", "gone"].includes(server.state);
  const answers = answersOf(status);
  const isComplete = status.blocks.every((block) => block.answers >= block.wanted);
  const problem = serving.problem ?? going.problem;
  if (status.closedAt !== null) {
    return <p>Closed on {new Date(status.closedAt).toLocaleString()}: nobody can join any more.</p>;
  }
  return (
    <section aria-label="Next">
      <p>
        {url !== null ? (
          <>
            Open, and served at <a href={url}>{url}</a>.
          </>
        ) : served === undefined ? (
          "Open, but nobody can answer until it is served."
        ) : (
          "Its server is starting …"
        )}
      </p>
      <p className="choices">
        {url === null && served === undefined && (
          <button
            type="button"
            className={isComplete ? "" : "primary"}
            onClick={() => void serving.act("", { verb: "study serve", filled: { study: inside } })}
          >
            Serve it
          </button>
        )}
        {own !== null && !isComplete && (
          <a className="button primary" href={own} target="_blank" rel="noreferrer">
            Answer it yourself
          </a>
        )}
        {asked !== undefined && answers > 0 && (
          <button
            type="button"
            className={isComplete ? "primary" : ""}
            onClick={() => void going.act(`${asked.id}/go-on`)}
          >
            Compare with these answers
          </button>
        )}
        {served !== undefined && url !== null && (
          <button type="button" onClick={() => void serving.act(`${served.id}/stop`)}>
            Stop serving
          </button>
        )}
      </p>
      {problem !== undefined && <Failure error={problem} />}
      {url === null && hasFailed && <WhyNotServed job={server.id} />}
      {status.retention !== null && <p>All answers are to be erased by {status.retention}.</p>}
    </section>
  );
}

/** What the server said when it ended by itself. */
function WhyNotServed({ job }: { readonly job: string }) {
  const { data } = useQuery(jobQuery(job));
  if (data === undefined) return null;
  return (
    <>
      <JobProblem job={data} />
      <p>
        {data.state === "gone" ? "Its server was killed" : "It could not be served"}; no answer is
        lost.{" "}
        <Link to="/jobs/$id" params={{ id: job }}>
          What the server said
        </Link>
      </p>
    </>
  );
}

/** The commands that do the same, and those that end it. */
function InTerminal({ study: { path, url, status } }: { readonly study: StudyDetail }) {
  const folder = shellWord(path);
  const isOpen = status.closedAt === null;
  return (
    <details>
      <summary>In a terminal</summary>
      {isOpen && url === null && <Command text={`touchstone study serve ${folder}`} />}
      <Command text={`touchstone study status ${folder}`} />
      <Command text={`touchstone study export ${folder} --table agreement --out agreement.csv`} />
      {isOpen && <Command text={`touchstone study close ${folder}`} />}
    </details>
  );
}
