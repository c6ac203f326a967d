import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode, useRef, useState } from "react";
import type { ListedRun } from "../../../../src/studio/api.js";
import { exported } from "../../shell/api.js";
import { Choice } from "../../shell/choice.js";
import { Frame } from "../../shell/frame.js";
import { useKeys } from "../../shell/keys.js";
import { Awaited, Failure, NoneFits } from "../../shell/notices.js";
import { countText, pluralText } from "../../shell/numbers.js";
import { leaveOnEscape, useTyped } from "../../shell/use-typed.js";
import { FileLink, fileKinds } from "../files.js";
import { jobsQuery } from "../jobs/job-queries.js";
import { JobTable } from "../jobs/job-table.js";
import { NoRun } from "../no-run.js";
import { filesQuery, imageAddress, runsQuery, sendNote } from "../queries.js";
import { RunStateMark } from "../run/run-state.js";
import { WorkInHand } from "../run/work-in-hand.js";
import { type Searched, withoutEmpty } from "../search-text.js";
import { listedRuns, titleOf } from "./listed-runs.js";
import type { RunsSearch } from "./runs-search.js";

/** Every run of the folder as a table: what it came to, and how it stands. */
export function RunsPage({ search, onSearch }: Searched<RunsSearch>) {
  const finder = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { data, error, refetch } = useQuery(runsQuery);
  const set = (name: keyof RunsSearch, value: string, isPassing = false) => {
    onSearch(withoutEmpty<RunsSearch>({ ...search, [name]: value }), isPassing);
  };
  const [text, setText] = useTyped(search.text ?? "", (typed) =>
    set("text", typed, search.text !== undefined),
  );
  useKeys([
    { key: "/", does: "search the runs", run: () => finder.current?.focus() },
    { key: "x", does: "take all filters away", run: () => onSearch({}) },
  ]);
  const runs = data?.runs ?? [];
  const jobs = useQuery(jobsQuery).data?.jobs ?? [];
  const rows = listedRuns(runs, search);
  const tags = [...new Set(runs.flatMap(({ notes }) => notes?.tags ?? []))].sort();
  const verbs = [...new Set(runs.flatMap(({ verb }) => verb ?? []))].sort();
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(-2));
  const [first, second] = chosen;
  return (
    <Frame wide title="Runs">
      <Awaited of={{ data, error, refetch }} what="the folder" />
      {data?.runs.length === 0 &&
        (jobs.length > 0 ? (
          <JobTable jobs={jobs} />
        ) : (
          <NoRun title="No run here yet" directory={data.directory} />
        ))}
      <search hidden={data?.runs.length === 0}>
        <form className="filters" onSubmit={(event) => event.preventDefault()}>
          <label>
            Find
            <input
              ref={finder}
              type="search"
              value={text}
              placeholder="name, verdict or metric"
              onChange={({ target }) => setText(target.value)}
              onKeyDown={leaveOnEscape}
            />
          </label>
          <Choice
            name="Made by"
            of={verbs}
            value={search.verb}
            any="all"
            hidesAlone
            onValue={(one) => set("verb", one)}
          />
          <Choice
            name="Tag"
            of={tags}
            value={search.tag}
            any="all"
            hidesAlone
            onValue={(one) => set("tag", one)}
          />
          <span className="quiet" role="status">
            {data !== undefined && `${pluralText(data.runs.length, "run")} in ${data.directory}`}
          </span>
          {first !== undefined && (
            <Link
              className="button primary"
              to="/compare"
              search={{ run: first, ...(second === undefined ? {} : { beside: second }) }}
            >
              Compare {second === undefined ? "its models" : "both"}
            </Link>
          )}
        </form>
      </search>
      {data !== undefined && runs.length > 0 && rows.length === 0 && (
        <NoneFits title="No run fits" onSearch={onSearch} />
      )}
      {rows.length > 0 && (
        <table className="listed">
          <thead>
            <tr>
              <td />
              <Heading name="name" title="run" search={search} onSearch={onSearch} />
              <th scope="col">state</th>
              <th scope="col">verdict</th>
              <Heading name="verb" title="made by" search={search} onSearch={onSearch} />
              <Heading name="changed" title="when" search={search} onSearch={onSearch} />
              <Heading name="images" title="images" search={search} onSearch={onSearch} />
              <th scope="col">metrics</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ run, parts }) => (
              <RunRows key={run.id} run={run} parts={parts} chosen={chosen} onToggle={toggle} />
            ))}
          </tbody>
        </table>
      )}
      <FileLists />
    </Frame>
  );
}

/** Sorts by its column; pressed again the other way round, and a third time not at all. */
function Heading({
  name,
  title,
  search,
  onSearch,
}: Searched<RunsSearch> & {
  readonly name: NonNullable<RunsSearch["sort"]>;
  readonly title: string;
}) {
  const { sort, order, ...rest } = search;
  const state = sort !== name ? "none" : order === "down" ? "descending" : "ascending";
  const next = {
    none: { ...rest, sort: name },
    ascending: { ...rest, sort: name, order: "down" as const },
    descending: rest,
  };
  return (
    <th scope="col" aria-sort={state} className={name === "images" ? "number" : undefined}>
      <button type="button" onClick={() => onSearch(next[state])}>
        {title}
        <span aria-hidden="true">{{ none: "", ascending: " ↑", descending: " ↓" }[state]}</span>
      </button>
    </th>
  );
}

/** A run, and the runs in its folder where they are unfolded. */
function RunRows({
  run,
  parts,
  chosen,
  onToggle,
}: {
  readonly run: ListedRun;
  readonly parts: readonly ListedRun[];
  readonly chosen: readonly string[];
  readonly onToggle: (id: string) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const row = (one: ListedRun, isPart = false) => (
    <RunRow run={one} isPart={isPart} isChosen={chosen.includes(one.id)} onToggle={onToggle}>
      {!isPart && parts.length > 0 && (
        <button
          type="button"
          className="small plain"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "−" : "+"} {pluralText(parts.length, "part")}
        </button>
      )}
    </RunRow>
  );
  return (
    <>
      {row(run)}
      {isOpen && parts.map((part) => <Fragment key={part.id}>{row(part, true)}</Fragment>)}
    </>
  );
}

function RunRow({
  run,
  isPart,
  isChosen,
  onToggle,
  children,
}: {
  readonly run: ListedRun;
  readonly isPart: boolean;
  readonly isChosen: boolean;
  readonly onToggle: (id: string) => void;
  readonly children: ReactNode;
}) {
  const client = useQueryClient();
  const { id, state, verdict, changed, problem, report, concludedIn, command } = run;
  const { verb, metrics = [], glance, notes, work } = run;
  const title = titleOf(run);
  const isBroken = state === "broken";
  const [failed, setFailed] = useState<Error | null>(null);
  const pin = async () => {
    try {
      await sendNote(id, { isPinned: !notes?.isPinned });
      setFailed(null);
      await client.invalidateQueries({ queryKey: ["runs"] });
    } catch (error) {
      setFailed(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return (
    <tr>
      <td className="short">
        {!isBroken && exported.source === undefined && (
          <>
            <input
              type="checkbox"
              aria-label={`Choose ${title}`}
              checked={isChosen}
              onChange={() => onToggle(id)}
            />{" "}
            <button
              type="button"
              className="small plain"
              aria-label={`Pin ${title}`}
              aria-pressed={notes?.isPinned ?? false}
              onClick={() => void pin()}
            >
              ★
            </button>
          </>
        )}
      </td>
      <th scope="row" className={isPart ? "part" : undefined}>
        {isBroken ? (
          title
        ) : (
          <Link to="/runs/$run" params={{ run: id }}>
            {title}
          </Link>
        )}
        {notes?.title !== undefined && <small> {run.name}</small>}{" "}
        {notes?.tags.map((tag) => (
          <span key={tag} className="chip">
            {tag}
          </span>
        ))}
        {children}
        {failed !== null && <Failure error={failed} />}
      </th>
      <td className="short">
        <RunStateMark state={state} />
      </td>
      <td className="verdict">
        <WorkInHand step={work} />
        {problem ?? (concludedIn === undefined ? verdict : null)}
        {verdict === null && command !== undefined && (
          <small>
            No verdict. Made by: <code>{command}</code>
          </small>
        )}{" "}
        {report !== undefined && (
          <a href={report}>
            {concludedIn === undefined ? "report" : `concluded in the report of ${concludedIn}`}
          </a>
        )}
      </td>
      <td>{verb}</td>
      <td className="short">{changed !== null && new Date(changed).toLocaleString()}</td>
      <td className="number thumbs">
        {glance?.thumbnails.map((image) => (
          <img
            key={image}
            className="thumb"
            src={imageAddress(id, image, 64)}
            alt=""
            loading="lazy"
          />
        ))}{" "}
        {glance?.images === undefined ? "–" : countText(glance.images)}
      </td>
      <td>{metrics.join(", ")}</td>
    </tr>
  );
}

/** Files with a page of their own, by what they are. */
function FileLists() {
  const { data } = useQuery(filesQuery);
  return fileKinds.map(({ kind, title }) => {
    const files = data?.files.filter((file) => file.kind === kind) ?? [];
    if (files.length === 0) return null;
    return (
      <section key={kind} aria-label={`All ${title.toLowerCase()}`}>
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
