import { queryOptions } from "@tanstack/react-query";
import type { AuditDetail, AuditSetPage } from "../../../../src/studio/audits/audit-api.js";
import { ask, searchOf } from "../../shell/api.js";
import type { SetSearch } from "./set-search.js";

const addressOf = (run: string) => `/api/runs/${encodeURIComponent(run)}/audit`;

export const auditQuery = (run: string) =>
  queryOptions({
    queryKey: ["audit", run],
    queryFn: ({ signal }) => ask<AuditDetail>(addressOf(run), signal),
  });

/** One set of an audit, by its place among those that are asked for. */
export const setQuery = (run: string, { at = 0, ...filters }: SetSearch) =>
  queryOptions({
    queryKey: ["audit", run, "sets", filters, at],
    queryFn: ({ signal }) =>
      ask<AuditSetPage>(
        `${addressOf(run)}/sets${searchOf({ ...filters, limit: 1, cursor: at })}`,
        signal,
      ),
  });
