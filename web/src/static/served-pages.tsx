import { Frame } from "../shell/frame.js";
import { Empty } from "../shell/notices.js";

/** Stands in an export for a page that needs the studio's server. */
const NotExported = () => (
  <Frame title="Not exported">
    <Empty title="This page was not exported">
      <p>The studio shows it where the run lies: touchstone studio RUN</p>
    </Empty>
  </Frame>
);

export {
  NotExported as ComponentsPage,
  NotExported as EvidencePage,
  NotExported as GridPage,
  NotExported as JobPage,
  NotExported as JobsPage,
  NotExported as JudgePage,
  NotExported as NewJobPage,
  NotExported as ReviewPage,
  NotExported as ScoresPage,
  NotExported as StudyPage,
};
