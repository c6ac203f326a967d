import { lazy } from "react";

/** Pages that ask a server for what no export holds; an export is built without them (vite.static.config.ts). */
export const ReviewPage = lazy(async () => ({
  default: (await import("./review/review-page.js")).ReviewPage,
}));
export const JudgePage = lazy(async () => ({
  default: (await import("./judge/judge-page.js")).JudgePage,
}));
export const ScoresPage = lazy(async () => ({
  default: (await import("./scores/scores-page.js")).ScoresPage,
}));
export const StudyPage = lazy(async () => ({
  default: (await import("./study/study-page.js")).StudyPage,
}));
export const EvidencePage = lazy(async () => ({
  default: (await import("./evidence/evidence-page.js")).EvidencePage,
}));
export const GridPage = lazy(async () => ({
  default: (await import("./grid/grid-page.js")).GridPage,
}));
export const JobsPage = lazy(async () => ({
  default: (await import("./jobs/jobs-page.js")).JobsPage,
}));
export const JobPage = lazy(async () => ({
  default: (await import("./jobs/job-page.js")).JobPage,
}));
export const NewJobPage = lazy(async () => ({
  default: (await import("./jobs/new-job-page.js")).NewJobPage,
}));
export const ComponentsPage = lazy(async () => ({
  default: (await import("../dev/components-page.js")).ComponentsPage,
}));
