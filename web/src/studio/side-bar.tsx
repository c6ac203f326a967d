import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { exported } from "../shell/api.js";
import { FileLink, fileKinds } from "./files.js";
import { filesQuery, runsQuery } from "./queries.js";

/** Pages that are about no one run or file; some ask a server. */
export const places = () =>
  allPlaces.filter(({ isServed }) => !isServed || exported.source === undefined);

const allPlaces = [
  { to: "/new", title: "New", isServed: true },
  { to: "/jobs", title: "Jobs", isServed: true },
  { to: "/", title: "Runs", isServed: false },
  { to: "/compare", title: "Compare", isServed: false },
  { to: "/cards", title: "Trust cards", isServed: false },
  { to: "/evidence", title: "Evidence", isServed: true },
  { to: "/analyse", title: "Analyse", isServed: false },
] as const;

/** How many of each kind the side bar lists; the first page lists all. */
const mostListed = 6;

/** Leads everywhere: to each place, to the runs that changed last, and to files by their kinds. */
export function SideBar() {
  // The first page asks again and again, others once.
  const runs = useQuery({ ...runsQuery, refetchInterval: false }).data?.runs ?? [];
  const files = useQuery({ ...filesQuery, refetchInterval: false }).data?.files ?? [];
  const latest = runs
    .filter(({ state }) => state !== "broken")
    .sort((a, b) => (b.changed ?? "").localeCompare(a.changed ?? ""))
    .slice(0, mostListed);
  return (
    <>
      <ul>
        {places().map(({ to, title }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === "/", includeSearch: false }}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
      {latest.length > 0 && <h2>{exported.source === undefined ? "Latest runs" : "Run"}</h2>}
      <ul>
        {latest.map(({ id, name }) => (
          <li key={id}>
            <Link to="/runs/$run" params={{ run: id }} activeOptions={{ includeSearch: false }}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
      {fileKinds.map(({ kind, title }) => {
        const listed = files.filter((file) => file.kind === kind).slice(0, mostListed);
        if (listed.length === 0) return null;
        return (
          <section key={kind} aria-label={title}>
            <h2>{title}</h2>
            <ul>
              {listed.map((file) => (
                <li key={file.id}>
                  <FileLink file={file} />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}
