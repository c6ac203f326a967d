import type {
  JobDetail,
  JobList,
  JobState,
  NewJob,
  TablePreview,
} from "../../../../src/studio/jobs/job-api.js";
import { exported, searchOf } from "../../shell/api.js";
import { asked } from "../asked.js";

export const isAtWork = (state: JobState): boolean => state === "starting" || state === "running";

/** Milliseconds between two looks at what is at work, and at what is not. */
const soon = 1000;
const later = 8000;

export const jobsQuery = asked<JobList>(["jobs"], "/api/jobs", {
  enabled: () => exported.source === undefined,
  refetchInterval: ({ state }) =>
    state.data?.jobs.some((job) => isAtWork(job.state)) === true ? soon : later,
});

export const jobQuery = (id: string) =>
  asked<JobDetail>(["jobs", id], `/api/jobs/${encodeURIComponent(id)}`, {
    refetchInterval: ({ state }) =>
      state.data !== undefined && isAtWork(state.data.state) ? soon : false,
  });

export const newJobQuery = asked<NewJob>(["new-job"], "/api/jobs/new");

export const previewQuery = (file: string) =>
  asked<TablePreview>(["table", file], `/api/jobs/table${searchOf({ file })}`, {
    enabled: /\.(csv|tsv|jsonl|json|parquet)$/i.test(file),
    retry: false,
  });
