import type { JourneyStep } from "../../terminal/journey.js";
import type { ChapterOptions, MadeChapter } from "./collect-chapter.js";

/** Chapter of the demo beside its main job: a run of its own with a report of its own. */
export interface DemoChapter {
  /** Its folder in the folder of the demo. */
  readonly name: string;
  readonly title: string;
  /** All that it does, in order. */
  outline(
    options: Pick<ChapterOptions, "size" | "seed" | "environment">,
  ): Promise<readonly JourneyStep[]>;
  /** Collects what its run lacks, and writes report.html into it. */
  make(options: ChapterOptions): Promise<MadeChapter>;
}

export const demoChapters: readonly DemoChapter[] = [
  {
    name: "demography",
    title: "Typical against right, in groups of people",
    async outline(options) {
      const { labDemography } = await import("../../../lab/lab-experiment.js");
      const { outlineOf } = await import("../run/step-outline.js");
      return outlineOf(labDemography({ ...options, runtime: options.environment.runtime }).steps);
    },
    async make(options) {
      const { labDemography } = await import("../../../lab/lab-experiment.js");
      const { collectChapter } = await import("./collect-chapter.js");
      return collectChapter(
        labDemography({ ...options, runtime: options.environment.runtime }),
        options,
      );
    },
  },
  {
    name: "attribute-confusion",
    title: "Attributes on the wrong thing",
    async outline(options) {
      const { labConfusion } = await import("../../../lab/confusion-experiment.js");
      const { outlineOf } = await import("../run/step-outline.js");
      return outlineOf(labConfusion({ ...options, runtime: options.environment.runtime }).steps);
    },
    async make(options) {
      const { labConfusion } = await import("../../../lab/confusion-experiment.js");
      const { collectChapter } = await import("./collect-chapter.js");
      return collectChapter(
        labConfusion({ ...options, runtime: options.environment.runtime }),
        options,
      );
    },
  },
  {
    name: "stereotypes",
    title: "Stereotypes in generated people",
    async outline(options) {
      const { auditExperiment } = await import("./audit-chapter.js");
      const { outlineOf } = await import("../run/step-outline.js");
      return outlineOf((await auditExperiment(options)).steps);
    },
    async make(options) {
      const { auditExperiment } = await import("./audit-chapter.js");
      const { collectChapter } = await import("./collect-chapter.js");
      return collectChapter(await auditExperiment(options), options);
    },
  },
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
