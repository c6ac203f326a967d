import { useQuery } from "@tanstack/react-query";
import { Failure, Loading } from "../../shell/notices.js";
import { explainedQuery } from "../queries.js";

/** What `touchstone explain` says of a record. */
export function RecordFacts({ run, record }: { readonly run: string; readonly record: string }) {
  const { data, error } = useQuery(explainedQuery(run, record));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Loading what="its record" />;
  return (
    <>
      <dl className="facts">
        {data.facts.map(([name, value], at) => (
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
          <pre>{data.repeat}</pre>
        </>
      )}
    </>
  );
}
