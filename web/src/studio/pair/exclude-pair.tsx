import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Pair } from "../../../../src/studio/api.js";
import { exported, send } from "../../shell/api.js";
import { Failure } from "../../shell/notices.js";

/** Leaves a triplet out of all that is concluded from its run, with a reason, or counts it again. */
export function ExcludePair({ run, pair }: { readonly run: string; readonly pair: Pair }) {
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<Error | null>(null);
  const queries = useQueryClient();
  if (pair.kind !== "contrastive") return null;
  const exclude = async (why: string | null) => {
    try {
      await send(`/api/runs/${encodeURIComponent(run)}/excluded`, { pair: pair.id, reason: why });
      setProblem(null);
      setReason("");
      await queries.invalidateQueries({ queryKey: ["items", run, "pairs"] });
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
    }
  };
  if (pair.excluded !== undefined) {
    return (
      <div role="status">
        Excluded by hand: {pair.excluded}. Reports that are made from now on leave this triplet out.{" "}
        {exported.source === undefined && (
          <button type="button" onClick={() => exclude(null)}>
            Count it again
          </button>
        )}
        {problem !== null && <Failure error={problem} />}
      </div>
    );
  }
  if (exported.source !== undefined) return null;
  return (
    <details className="exclude">
      <summary>Exclude this triplet</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void exclude(reason.trim());
        }}
      >
        <label>
          Reason{" "}
          <input
            value={reason}
            maxLength={200}
            required
            onChange={({ target }) => setReason(target.value)}
          />
        </label>{" "}
        <button type="submit" disabled={reason.trim() === ""}>
          Exclude
        </button>
      </form>
      {problem !== null && <Failure error={problem} />}
    </details>
  );
}
