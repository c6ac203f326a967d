import type { LabExperiment } from "../../../lab/lab-experiment.js";
import type { JourneyStep } from "../../terminal/journey.js";
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

type Experiment = (options: ExperimentOptions) => Promise<LabExperiment>;

/** A chapter that is the steps of an experiment and the report of their benchmark. */
const collected = (name: string, title: string, experiment: Experiment): DemoChapter => ({
  name,
  title,
  async outline(options) {
    const { outlineOf } = await import("../run/step-outline.js");
    return outlineOf((await experiment(options)).steps);
  },
  async make(options) {
    const { collectChapter } = await import("./collect-chapter.js");
    return collectChapter(await experiment(options), options);
  },
});

export const demoChapters: readonly DemoChapter[] = [
  collected("demography", "Typical against right, in groups of people", async (options) => {
    const { labDemography } = await import("../../../lab/lab-experiment.js");
    return labDemography(options);
  }),
  collected("attribute-confusion", "Attributes on the wrong thing", async (options) => {
    const { labConfusion } = await import("../../../lab/confusion-experiment.js");
    return labConfusion(options);
  }),
  collected("stereotypes", "Stereotypes in generated people", async (options) => {
    const { auditExperiment } = await import("./audit-chapter.js");
    return auditExperiment(options);
  }),
  {
    name: "judge",
    title: "A judge made of several prompts",
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
    title: "People, simulated",
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
