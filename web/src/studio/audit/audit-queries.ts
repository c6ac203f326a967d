import type { AuditDetail, AuditSetPage } from "../../../../src/studio/audits/audit-api.js";
import { searchOf } from "../../shell/api.js";
import { asked } from "../asked.js";
import type { SetSearch } from "./set-search.js";

const addressOf = (run: string) => `/api/runs/${encodeURIComponent(run)}/audit`;

export const auditQuery = (run: string) => asked<AuditDetail>(["audit", run], addressOf(run));

/** One set of an audit, by its place among those that are asked for. */
export const setQuery = (run: string, { at = 0, ...filters }: SetSearch) =>
  asked<AuditSetPage>(
    ["audit", run, "sets", filters, at],
    `${addressOf(run)}/sets${searchOf({ ...filters, limit: 1, cursor: at })}`,
  );
