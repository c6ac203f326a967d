import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ListedRun } from "../../../../src/studio/api.js";
import { Frame } from "../../shell/frame.js";
import { Empty, Failure, Loading } from "../../shell/notices.js";
import { pluralText } from "../../shell/numbers.js";
import { FileLink, fileKinds } from "../files.js";
import { filesQuery, runsQuery } from "../queries.js";
import { RunStateMark } from "../run/run-state.js";

/** Every run of the folder: what it came to, and how it stands. */
export function RunsPage() {
  const { data, error, refetch } = useQuery(runsQuery);
  return (
    <Frame title="Runs">
      {data !== undefined && (
        <p className="quiet">
          {pluralText(data.runs.length, "run")} in <code>{data.directory}</code>
        </p>
      )}
      {error !== null && <Failure error={error} retry={() => refetch()} />}
      {data === undefined && error === null && <Loading what="the folder" />}
      {data?.runs.length === 0 && (
        <Empty title={`No run in ${data.directory} yet`}>
          <p>This command makes one, offline, in a few minutes:</p>
          <pre>touchstone demo --run {data.directory}/demo</pre>
          <p>It shows here as soon as it begins.</p>
        </Empty>
      )}
      <p>
        <Link to="/compare">Compare models</Link> within a run, or two runs beside each other ·{" "}
        <Link to="/cards">Trust cards</Link> of metrics beside each other ·{" "}
        <Link to="/analyse">Analyse a table</Link> that you have, in this browser.
      </p>
      <ul className="runs">
        {data?.runs.map((run) => (
          <RunEntry key={run.id} run={run} />
        ))}
      </ul>
      <FileLists />
    </Frame>
  );
}

/** Files with a page of their own, by what they are. */
function FileLists() {
  const { data } = useQuery(filesQuery);
  return fileKinds.map(({ kind, title }) => {
    const files = data?.files.filter((file) => file.kind === kind) ?? [];
    if (files.length === 0) return null;
    return (
      <section key={kind}>
        <h2>{title}</h2>
        <ul>
          {files.map((file) => (
            <li key={file.id}>
              <FileLink file={file} />
              {file.verdict !== undefined && <p>{file.verdict}</p>}
            </li>
          ))}
        </ul>
      </section>
    );
  });
}

function RunEntry({ run }: { readonly run: ListedRun }) {
  const { id, name, state, verdict, changed, problem, report, concludedIn, command } = run;
  return (
    <li>
      <h2>
        {state === "broken" ? (
          name
        ) : (
          <Link to="/runs/$run" params={{ run: id }}>
            {name}
          </Link>
        )}
      </h2>
      <p className="quiet">
        <RunStateMark state={state} />
        {changed !== null && <> · {new Date(changed).toLocaleString()}</>}
        {report !== undefined && (
          <>
            {" · "}
            <a href={report}>
              {concludedIn === undefined ? "report" : `concluded in the report of ${concludedIn}`}
            </a>
          </>
        )}
      </p>
      <p>{problem ?? (concludedIn === undefined ? verdict : null)}</p>
      {verdict === null && command !== undefined && (
        <p className="quiet">
          No verdict. Made by: <code>{command}</code>
        </p>
      )}
    </li>
  );
}
