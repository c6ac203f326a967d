import { useCallback, useEffect, useState } from "react";
import { CopyButton } from "../shell/copy-button.js";
import { Frame } from "../shell/frame.js";
import { InviteForm } from "../study-status/invite-form.js";
import { StudyProgress } from "../study-status/study-progress.js";
import { type AdminStatus, close, erase, invite, readStatus } from "./admin-client.js";

/** How often the page looks how far the study is, in milliseconds. */
const every = 5_000;

/** Where a study stands, for those who run it: progress, agreement, quality, invitations. */
export function AdminPage() {
  const [status, setStatus] = useState<AdminStatus>();
  const [problem, setProblem] = useState<string>();
  const [links, setLinks] = useState<readonly string[]>([]);
  const refresh = useCallback(
    () =>
      readStatus().then(
        (found) => {
          setStatus(found);
          setProblem(undefined);
        },
        (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
      ),
    [],
  );
  useEffect(() => {
    void refresh();
    const timer = setInterval(() => void refresh(), every);
    return () => clearInterval(timer);
  }, [refresh]);
  const act = (work: Promise<unknown>) =>
    void work.then(refresh, (error: unknown) => setProblem(String(error)));
  return (
    <Frame title={status?.title ?? "Study"}>
      {problem !== undefined && (
        <p className="notice" role="alert">
          {problem}
        </p>
      )}
      {status !== undefined && (
        <>
          {status.isPreview && (
            <p className="notice">
              <b>Preview</b>: nothing is stored, and what is done here ends with it.
            </p>
          )}
          <StudyProgress
            status={status}
            remove={(id) => {
              if (confirm(`Erase all there is of ${id}? It can't be undone.`)) act(erase(id));
            }}
          />
          {status.facilitator !== null && (
            <>
              <h2>Sessions</h2>
              <p>
                <a href={`/facilitator#${status.facilitator}`}>Lead a session</a>
              </p>
            </>
          )}
          <h2>Invitations</h2>
          <InviteForm onInvite={(count) => act(invite(count).then(setLinks))} />
          {links.length > 0 && (
            <>
              <pre className="links">{links.join("\n")}</pre>
              <CopyButton text={() => links.join("\n")}>Copy the links</CopyButton>
            </>
          )}
          <h2>End</h2>
          {status.closedAt === null ? (
            <button
              type="button"
              onClick={() => {
                if (confirm("Close the study? Nobody can join after that.")) act(close());
              }}
            >
              Close the study
            </button>
          ) : (
            <p>Closed on {new Date(status.closedAt).toLocaleString()}.</p>
          )}
        </>
      )}
    </Frame>
  );
}
