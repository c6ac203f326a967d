import { Link } from "@tanstack/react-router";

/** The first step of the way to a page. */
export const toRuns = (
  <Link key="runs" to="/">
    Runs
  </Link>
);
