import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { exported } from "../../shell/api.js";
import { Failure } from "../../shell/notices.js";
import { notesQuery, sendNote } from "../queries.js";

/** Filters of a run that somebody gave a name, as links; the filters of the address can get one. */
export function NamedViews({
  run,
  page,
  search,
}: {
  readonly run: string;
  readonly page: "gallery" | "grid";
  readonly search: object;
}) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<Error | null>(null);
  const { data } = useQuery(notesQuery(run));
  if (exported.source !== undefined) return null;
  const keep = async (name: string | null, given: object | null) => {
    if (name === null || name.trim() === "") return;
    const view = { name: name.trim(), page, search: given };
    try {
      client.setQueryData(notesQuery(run).queryKey, await sendNote(run, { view }));
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const views = data?.views.filter((view) => view.page === page) ?? [];
  const current = views.find((view) => JSON.stringify(view.search) === JSON.stringify(search));
  return (
    <>
      {views.map((view) => (
        <Link
          key={view.name}
          to={`/runs/$run/${page}`}
          params={{ run }}
          search={view.search}
          className="chip"
        >
          {view.name}
        </Link>
      ))}
      {current !== undefined ? (
        <button type="button" className="small" onClick={() => void keep(current.name, null)}>
          Forget this view
        </button>
      ) : (
        Object.keys(search).length > 0 && (
          <button
            type="button"
            className="small"
            onClick={() => void keep(prompt("Name of this view"), search)}
          >
            Save this view
          </button>
        )
      )}
      {problem !== null && <Failure error={problem} />}
    </>
  );
}
