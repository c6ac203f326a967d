import { useQuery } from "@tanstack/react-query";
import { Command } from "../../shell/command.js";
import { Failure, Loading } from "../../shell/notices.js";
import { explainedQuery } from "../queries.js";
import { ScoreLooksView } from "./score-looks.js";

/** Facts of `touchstone run explain` on a record. */
export function RecordFacts({ run, record }: { readonly run: string; readonly record: string }) {
  const { data, error } = useQuery(explainedQuery(run, record));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Loading what="its record" />;
  const { looks } = data;
  // What the table below says, and numbers of masks that are shown.
  const facts = data.facts.filter(
    ([name, value]) =>
      looks === null || !(name === "questions" || value.startsWith("where the localiser found")),
  );
  return (
    <>
      {looks !== null && <ScoreLooksView run={run} score={record} looks={looks} />}
      <dl className="facts">
        {facts.map(([name, value], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a record's facts never change their order
          <div key={at}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {data.repeat !== null && (
        <>
          <p className="quiet">Ask it again:</p>
          <Command text={data.repeat} />
        </>
      )}
    </>
  );
}
