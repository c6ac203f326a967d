import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { StudyLabels } from "../../../../src/studio/studies/studio-studies.js";
import type { View } from "../../../../src/views/view.js";
import { ask } from "../../shell/api.js";
import { Failure, Loading } from "../../shell/notices.js";
import { ViewTableView } from "../../shell/view-table.js";

/** What each block asks next and why, its interval as it narrows, and how reliable each rater is. */
export function Labels({
  address,
  answers,
}: {
  readonly address: string;
  /** How many there are: others are read anew. */
  readonly answers: number;
}) {
  const { data, error, refetch } = useQuery({
    queryKey: ["study labels", address, answers],
    queryFn: ({ signal }) => ask<StudyLabels>(`${address}/labels`, signal),
    placeholderData: keepPreviousData,
  });
  if (error !== null) return <Failure error={error} retry={() => refetch()} />;
  if (data === undefined) return <Loading what="plan and raters" />;
  return data.blocks.map(({ name, plan, raters }) => {
    const of = data.blocks.length > 1 ? `: ${name}` : "";
    return (
      <section key={name} aria-label={`Plan and raters${of}`}>
        <h2>Plan{of}</h2>
        <Shown view={plan} />
        <h2>Raters{of}</h2>
        <Shown view={raters} />
      </section>
    );
  });
}

/** A conclusion without its headings, or why there is none. */
function Shown({ view }: { readonly view: View | string }) {
  if (typeof view === "string") return <p className="quiet">{view}</p>;
  const sentences = [...(view.findings ?? []), ...view.caveats];
  return (
    <>
      <p>{view.verdict}</p>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {view.tables.map((table) => (
        <ViewTableView key={table.title} table={table} />
      ))}
      <p className="quiet">{view.method}</p>
    </>
  );
}
