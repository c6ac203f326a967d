import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Filled } from "../../../../src/core/options.js";
import type {
  JobEstimate,
  NewJob,
  StartedJob,
  StartVerb,
} from "../../../../src/studio/jobs/job-api.js";
import { send } from "../../shell/api.js";
import { Command } from "../../shell/command.js";
import { FirstRows } from "../../shell/first-rows.js";
import { Frame } from "../../shell/frame.js";
import { labelOf } from "../../shell/label-of.js";
import { Awaited, Failure } from "../../shell/notices.js";
import { pluralText } from "../../shell/numbers.js";
import { commandOf } from "./command-of.js";
import { JobField } from "./job-field.js";
import "./jobs.css";
import { jobQuery, newJobQuery, previewQuery } from "./job-queries.js";
import type { NewSearch } from "./new-search.js";

/** Page on which a verb is chosen by the problem that it answers, filled in, and started. */
export function NewJobPage({ search }: { readonly search: NewSearch }) {
  const { data: found, error, refetch } = useQuery(newJobQuery);
  const { data: earlier } = useQuery({
    ...jobQuery(search.from ?? ""),
    enabled: search.from !== undefined,
  });
  const name = search.verb ?? earlier?.verb ?? found?.forms[0]?.verbs[0]?.name;
  const form = found?.forms.find(({ verbs }) => verbs.some((one) => one.name === name));
  const verb = form?.verbs.find((one) => one.name === name);
  const isWaiting = search.from !== undefined && earlier === undefined;
  return (
    <Frame
      title="New"
      crumbs={[
        <Link key="jobs" to="/jobs">
          Jobs
        </Link>,
      ]}
    >
      <Awaited of={{ data: found, error, refetch }} what="the forms" />
      {found !== undefined && (
        <nav className="problems" aria-label="Problems">
          {found.forms.map(({ id, title, question, verbs: [first] }) => (
            <Link
              key={id}
              to="/new"
              search={first === undefined ? {} : { verb: first.name }}
              aria-current={id === form?.id ? "page" : undefined}
            >
              <b>{title}</b>
              <span>{question}</span>
            </Link>
          ))}
        </nav>
      )}
      {form !== undefined && form.verbs.length > 1 && (
        <nav className="choices" aria-label="Ways">
          {form.verbs.map((one) => (
            <Link
              key={one.name}
              to="/new"
              search={{ verb: one.name }}
              aria-current={one.name === name ? "page" : undefined}
            >
              {one.title}
            </Link>
          ))}
        </nav>
      )}
      {found !== undefined && verb !== undefined && !isWaiting && (
        <VerbForm
          key={`${verb.name} ${search.from ?? ""}`}
          found={found}
          verb={verb}
          begun={earlier?.verb === verb.name ? earlier.filled : verb.filled}
        />
      )}
    </Frame>
  );
}

function VerbForm({
  found,
  verb,
  begun,
}: {
  readonly found: NewJob;
  readonly verb: StartVerb;
  readonly begun: Filled;
}) {
  const [filled, setFilled] = useState(begun);
  const [problem, setProblem] = useState<Error>();
  const [busy, setBusy] = useState<"estimate" | "start">();
  const [estimate, setEstimate] = useState<JobEstimate>();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const entries = withoutEmpty(filled);
  const lacking = verb.needs?.every((name) => entries[name] === undefined)
    ? verb.needs[0]
    : undefined;
  const command =
    lacking === undefined
      ? commandOf(verb, entries)
      : { missing: `Still empty: ${verb.says?.[lacking]?.[0] ?? labelOf(lacking)}` };
  const table = tableIn(verb, filled);
  const { data: preview, error: unread } = useQuery(previewQuery(table));
  const names = Object.keys(verb.arguments);
  const field = (name: string) => {
    const argument = verb.arguments[name];
    return argument === undefined ? undefined : (
      <JobField
        key={name}
        name={name}
        argument={argument}
        says={verb.says?.[name]}
        picks={verb.picks[name]}
        value={filled[name]}
        offers={{ ...found, columns: preview?.columns ?? [] }}
        onValue={(value) => {
          setEstimate(undefined);
          setFilled({ ...filled, [name]: value });
        }}
      />
    );
  };
  const ask = async (what: "estimate" | "start") => {
    setBusy(what);
    setProblem(undefined);
    const asked = { verb: verb.name, filled: entries };
    try {
      if (what === "estimate") {
        setEstimate(await send<JobEstimate>("/api/jobs/estimate", asked));
      } else {
        const { id } = await send<StartedJob>("/api/jobs", asked);
        await queries.invalidateQueries({ queryKey: ["jobs"] });
        await navigate({ to: "/jobs/$id", params: { id } });
      }
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <form
      className="job-form"
      onSubmit={(event) => {
        event.preventDefault();
        void ask("start");
      }}
    >
      <p className="quiet">
        Paths are inside the folder that the studio shows. The command works there, and goes on when
        this page is closed.
      </p>
      <div className="fields">{verb.inSight.map(field)}</div>
      {preview !== undefined && <FirstRows table={{ name: table, ...preview }} />}
      {unread !== null && <Failure error={unread} />}
      <details>
        <summary>All options</summary>
        <div className="fields options">
          {names.filter((name) => !verb.inSight.includes(name)).map(field)}
        </div>
      </details>
      <h2>Command</h2>
      {"text" in command ? (
        <Command text={command.text} />
      ) : (
        <p className="quiet">{command.missing}</p>
      )}
      {estimate !== undefined && <Estimate estimate={estimate} />}
      {problem !== undefined && <Failure error={problem} />}
      <div className="choices">
        <button
          type="submit"
          className="primary"
          disabled={!found.mayStart || busy !== undefined || !("text" in command)}
        >
          {busy === "start" ? "Starting …" : "Start"}
        </button>
        {verb.estimate !== undefined ? (
          <button
            type="button"
            disabled={!found.mayStart || busy !== undefined || !("text" in command)}
            onClick={() => void ask("estimate")}
          >
            {busy === "estimate" ? "Counting …" : "Estimate calls and cost"}
          </button>
        ) : (
          <span className="quiet">
            This command can't be estimated. Set Max cost to limit it, where it has one.
          </span>
        )}
      </div>
      {!found.mayStart && (
        <p role="note">
          To start anything, open the link that <code>touchstone studio</code> printed: it carries
          the token.
        </p>
      )}
    </form>
  );
}

const Estimate = ({ estimate: { steps } }: { readonly estimate: JobEstimate }) => (
  <section aria-label="Estimate" className="notice">
    {steps.length === 0 && <p>No model has to be asked.</p>}
    {steps.map(({ what, tasks, calls, cost }) => (
      <p key={what}>
        {what}:{" "}
        {[
          tasks === null ? "known once the steps before it are done" : pluralText(tasks, "answer"),
          ...(calls === null ? [] : [`about ${pluralText(calls, "call")}`]),
          ...(cost === null ? [] : [`about US$${cost.toFixed(2)}`]),
        ].join(", ")}
      </p>
    ))}
    {steps.length > 0 && (
      <p className="quiet">
        No call is named for models of this machine, no cost where a price is not known. The time
        left shows once answers come.
      </p>
    )}
  </section>
);

/** The first table that a form names. */
function tableIn({ picks }: StartVerb, filled: Filled): string {
  const texts = Object.entries(filled).flatMap(([name, value]) =>
    picks[name] !== "path" || name === "out" ? [] : [value].flat(),
  );
  return texts.find((text): text is string => typeof text === "string" && text !== "") ?? "";
}

/** Entries that say something. */
function withoutEmpty(filled: Filled): Filled {
  const some: Record<string, Filled[string]> = {};
  for (const [name, value] of Object.entries(filled)) {
    if (typeof value === "object") {
      const said = value.filter((one) => one !== "" && !one.endsWith("="));
      if (said.length > 0) some[name] = said;
    } else if (value !== "" && value !== false) some[name] = value;
  }
  return some;
}
