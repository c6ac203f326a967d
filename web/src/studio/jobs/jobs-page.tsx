import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Frame } from "../../shell/frame.js";
import { Awaited, Empty } from "../../shell/notices.js";
import { jobsQuery } from "./job-queries.js";
import { JobTable } from "./job-table.js";

/** Page of all that was started here: what is at work, and what came of the rest. */
export function JobsPage() {
  const { data, error, refetch } = useQuery(jobsQuery);
  return (
    <Frame title="Jobs" wide>
      <Awaited of={{ data, error, refetch }} what="jobs" />
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
      {data !== undefined && data.jobs.length > 0 && <JobTable jobs={data.jobs} />}
    </Frame>
  );
}
