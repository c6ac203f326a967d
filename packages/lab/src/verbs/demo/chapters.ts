import type { JourneyStep } from "touchstone-t2i/internal/cli/terminal/journey.js";
import { chapterTitles } from "touchstone-t2i/internal/cli/verbs/report/standing-chapters.js";
import type { LabExperiment } from "../../lab-experiment.js";
import type { ChapterOptions, ExperimentOptions, MadeChapter } from "./collect-chapter.js";

/** Chapter of the demo beside its main job: a run of its own with a report of its own. */
export interface DemoChapter {
  /** Its folder in the folder of the demo. */
  readonly name: string;
  readonly title: string;
  /** All that it does, in order. */
  outline(options: ExperimentOptions): Promise<readonly JourneyStep[]>;
  /** Collects what its run lacks, and writes report.html into it. */
  make(options: ChapterOptions): Promise<MadeChapter>;
}

type ChapterName = keyof typeof chapterTitles;
type Experiment = (options: ExperimentOptions) => Promise<LabExperiment>;

/** A chapter that is the steps of an experiment and the report of their benchmark. */
const collected = (name: ChapterName, experiment: Experiment): DemoChapter => ({
  name,
  title: chapterTitles[name],
  async outline(options) {
    const { outlineOf } = await import("touchstone-t2i/internal/cli/verbs/run/collect.js");
    return outlineOf((await experiment(options)).steps);
  },
  async make(options) {
    const { collectChapter } = await import("./collect-chapter.js");
    return collectChapter(await experiment(options), options);
  },
});

export const demoChapters: readonly DemoChapter[] = [
  collected("demography", async (options) => {
    const { labDemography } = await import("../../lab-experiment.js");
    return labDemography(options);
  }),
  collected("attribute-confusion", async (options) => {
    const { labConfusion } = await import("../../confusion-experiment.js");
    return labConfusion(options);
  }),
  collected("stereotypes", async (options) => {
    const { auditExperiment } = await import("./audit-chapter.js");
    return auditExperiment(options);
  }),
  {
    name: "judge",
    title: chapterTitles.judge,
    async outline() {
      const { judgeOutline } = await import("./judge-chapter.js");
      return judgeOutline();
    },
    async make(options) {
      const { judgeChapter } = await import("./judge-chapter.js");
      return { verdict: Promise.resolve(await judgeChapter(options)) };
    },
  },
  {
    name: "people",
    title: chapterTitles.people,
    async outline() {
      const { peopleOutline } = await import("./people-chapter.js");
      return peopleOutline();
    },
    async make(options) {
      const { peopleChapter } = await import("./people-chapter.js");
      return { verdict: Promise.resolve(await peopleChapter(options)) };
    },
  },
];
