import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { shellWord } from "../../../../src/core/shell-word.js";
import type {
  StudyDetail,
  StudyInvitations,
} from "../../../../src/studio/studies/studio-studies.js";
import { send } from "../../shell/api.js";
import { Command } from "../../shell/command.js";
import { Frame } from "../../shell/frame.js";
import { useKeys } from "../../shell/keys.js";
import { Failure, Loading } from "../../shell/notices.js";
import { pluralText } from "../../shell/numbers.js";
import { InviteForm } from "../../study-status/invite-form.js";
import { StudyProgress } from "../../study-status/study-progress.js";
import { asked } from "../asked.js";
import { toRuns } from "../to-runs.js";
import { Labels } from "./study-labels.js";

const addressOf = (id: string) => `/api/studies/${encodeURIComponent(id)}`;

const studyQuery = (id: string) =>
  asked<StudyDetail>(["study", id], addressOf(id), {
    refetchInterval: 5000,
  });

/** Where a human study stands: progress, agreement so far, quality, invitations. */
export function StudyPage({ id }: { readonly id: string }) {
  const navigate = useNavigate();
  useKeys([{ key: "u", does: "up: all runs", run: () => void navigate({ to: "/" }) }]);
  const { data, error, refetch } = useQuery(studyQuery(id));
  return (
    <Frame title={data?.status.title ?? "Study"} crumbs={[toRuns]}>
      {error !== null && <Failure error={error} retry={() => refetch()} />}
      {data === undefined && error === null && <Loading what="the study" />}
      {data !== undefined && (
        <>
          <StudyProgress status={data.status} />
          <Labels address={addressOf(id)} />
          <Invitations study={data} />
          <NextSteps study={data} />
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

/** Whether people can take part now, and the commands that go on. */
function NextSteps({ study: { url, path, status } }: { readonly study: StudyDetail }) {
  const { closedAt, retention } = status;
  const folder = shellWord(path);
  return (
    <>
      <h2>State</h2>
      {closedAt === null ? (
        url === null ? (
          <p>Open, but nobody serves it. Participants reach it while this command runs:</p>
        ) : (
          <p>
            Open, and served at <a href={url}>{url}</a>.
          </p>
        )
      ) : (
        <p>Closed on {new Date(closedAt).toLocaleString()}: nobody can join any more.</p>
      )}
      {closedAt === null && url === null && <Command text={`touchstone study serve ${folder}`} />}
      {retention !== null && <p>All answers are to be erased by {retention}.</p>}
      <p className="quiet">The same in a terminal, the answers as a table, and the end:</p>
      <Command text={`touchstone study status ${folder}`} />
      <Command text={`touchstone study export ${folder} --table agreement --out agreement.csv`} />
      {closedAt === null && <Command text={`touchstone study close ${folder}`} />}
    </>
  );
}
