import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Frame } from "../../shell/frame.js";
import { Empty, Failure, Loading } from "../../shell/notices.js";
import { Scroll } from "../../shell/scroll.js";
import "./jobs.css";
import { jobsQuery } from "./job-queries.js";
import { JobStateMark } from "./job-state.js";

/** Page of all that was started here: what is at work, and what came of the rest. */
export function JobsPage() {
  const { data, error, refetch } = useQuery(jobsQuery);
  return (
    <Frame title="Jobs" wide>
      {error !== null && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="jobs" />}
      {data !== undefined && data.jobs.length === 0 && (
        <Empty title="Nothing was started here yet">
          <p>
            A job is a command that works on in the background, whether this page is open or not.
          </p>
        </Empty>
      )}
      <p>
        <Link to="/new" className="button primary">
          New
        </Link>
      </p>
      {data !== undefined && data.jobs.length > 0 && (
        <Scroll label="Jobs">
          <table>
            <thead>
              <tr>
                <th scope="col">command</th>
                <th scope="col">state</th>
                <th scope="col">what it came to</th>
                <th scope="col">started</th>
              </tr>
            </thead>
            <tbody>
              {data.jobs.map(({ id, command, state, started, progress, verdict }) => (
                <tr key={id}>
                  <th scope="row" className="job-command">
                    <Link to="/jobs/$id" params={{ id }}>
                      {command.replace(/^touchstone /, "")}
                    </Link>
                  </th>
                  <td>
                    <JobStateMark state={state} />
                  </td>
                  <td className="job-verdict">{verdict ?? progress ?? ""}</td>
                  <td>
                    <time dateTime={started}>{new Date(started).toLocaleString()}</time>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Frame>
  );
}
