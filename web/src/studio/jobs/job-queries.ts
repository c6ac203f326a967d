import { queryOptions } from "@tanstack/react-query";
import type {
  JobDetail,
  JobList,
  JobState,
  NewJob,
  TablePreview,
} from "../../../../src/studio/jobs/job-api.js";
import { ask, exported, searchOf } from "../../shell/api.js";

export const isAtWork = (state: JobState): boolean => state === "starting" || state === "running";

/** Milliseconds between two looks at what is at work, and at what is not. */
const soon = 1000;
const later = 8000;

export const jobsQuery = queryOptions({
  queryKey: ["jobs"],
  queryFn: ({ signal }) => ask<JobList>("/api/jobs", signal),
  enabled: () => exported.source === undefined,
  refetchInterval: ({ state }) =>
    state.data?.jobs.some((job) => isAtWork(job.state)) === true ? soon : later,
});

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ["jobs", id],
    queryFn: ({ signal }) => ask<JobDetail>(`/api/jobs/${encodeURIComponent(id)}`, signal),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isAtWork(state.data.state) ? soon : false,
  });

export const newJobQuery = queryOptions({
  queryKey: ["new-job"],
  queryFn: ({ signal }) => ask<NewJob>("/api/jobs/new", signal),
});

export const previewQuery = (file: string) =>
  queryOptions({
    queryKey: ["table", file],
    queryFn: ({ signal }) => ask<TablePreview>(`/api/jobs/table${searchOf({ file })}`, signal),
    enabled: /\.(csv|tsv|jsonl|json|parquet)$/i.test(file),
    retry: false,
  });
