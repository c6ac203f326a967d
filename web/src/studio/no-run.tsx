import { Link } from "@tanstack/react-router";
import { Command } from "../shell/command.js";
import { Empty } from "../shell/notices.js";

/** What to do in a folder without runs: begin with one's own images, or make a run to look at. */
export const NoRun = ({
  title,
  directory,
}: {
  readonly title: string;
  readonly directory: string;
}) => (
  <Empty title={title}>
    <p>Begin with your own images, metric, judge or table:</p>
    <p>
      <Link to="/new" className="button primary">
        Begin
      </Link>
    </p>
    <p>Or make a run to look at, offline, in a few minutes. It shows here as soon as it begins:</p>
    <Command text={`touchstone demo --run ${directory}/demo`} />
  </Empty>
);
