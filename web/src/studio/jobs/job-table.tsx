import { Link } from "@tanstack/react-router";
import type { JobList } from "../../../../src/studio/jobs/job-api.js";
import { Scroll } from "../../shell/scroll.js";
import { JobStateMark } from "./job-state.js";
import "./jobs.css";

/** Jobs with their state and what each came to. */
export const JobTable = ({ jobs }: Pick<JobList, "jobs">) => (
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
        {jobs.map(({ id, command, state, started, progress, verdict }) => (
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
);
