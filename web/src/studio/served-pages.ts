import { lazily } from "./lazily.js";

/** Pages that ask a server for what no export holds; an export is built without them (vite.static.config.ts). */
export const ReviewPage = lazily("ReviewPage", () => import("./review/review-page.js"));
export const JudgePage = lazily("JudgePage", () => import("./judge/judge-page.js"));
export const ScoresPage = lazily("ScoresPage", () => import("./scores/scores-page.js"));
export const StudyPage = lazily("StudyPage", () => import("./study/study-page.js"));
export const EvidencePage = lazily("EvidencePage", () => import("./evidence/evidence-page.js"));
export const GridPage = lazily("GridPage", () => import("./grid/grid-page.js"));
export const JobsPage = lazily("JobsPage", () => import("./jobs/jobs-page.js"));
export const JobPage = lazily("JobPage", () => import("./jobs/job-page.js"));
export const NewJobPage = lazily("NewJobPage", () => import("./jobs/new-job-page.js"));
export const ComponentsPage = lazily("ComponentsPage", () => import("../dev/components-page.js"));
