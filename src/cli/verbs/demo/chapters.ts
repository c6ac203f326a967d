import type { ChapterOptions } from "./collect-chapter.js";

/** What the demo has beside its main job: each a run of its own with a report of its own. */
export interface DemoChapter {
  /** Its folder in the folder of the demo. */
  readonly name: string;
  readonly title: string;
  /** Collects what its run lacks, writes report.html into it, and gives the verdict. */
  make(options: ChapterOptions): Promise<readonly string[]>;
}

export const demoChapters: readonly DemoChapter[] = [
  {
    name: "attribute-confusion",
    title: "Attributes on the wrong thing",
    async make(options) {
      const { labConfusion } = await import("../../../lab/confusion-experiment.js");
      const { collectChapter } = await import("./collect-chapter.js");
      return collectChapter(labConfusion(options), options);
    },
  },
  {
    name: "stereotypes",
    title: "Stereotypes in generated people",
    async make(options) {
      const { auditChapter } = await import("./audit-chapter.js");
      return auditChapter(options);
    },
  },
  {
    name: "judge",
    title: "A judge made of several prompts",
    async make(options) {
      const { judgeChapter } = await import("./judge-chapter.js");
      return judgeChapter(options);
    },
  },
];
