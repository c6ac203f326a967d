import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Filled } from "../../../../src/core/options.js";
import type { StartedJob } from "../../../../src/studio/jobs/job-api.js";
import { send } from "../../shell/api.js";

/** Starts, stops and resumes jobs; opens the page of a job that was started, unless it is to stay. */
export function useJobAction({ stay = false } = {}) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<Error>();
  const act = async (path: string, body: { verb?: string; filled?: Filled } = {}) => {
    try {
      setProblem(undefined);
      const { id } = await send<Partial<StartedJob>>(
        `/api/jobs${path === "" ? "" : `/${path}`}`,
        body,
      );
      await queries.invalidateQueries({ queryKey: ["jobs"] });
      if (id !== undefined && !stay) await navigate({ to: "/jobs/$id", params: { id } });
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return { act, problem };
}
