import type { JsonObject } from "../core/json.js";
import type { Card, Overview, Report } from "../views/report.js";
import type { ViewTable } from "../views/view.js";

/** A conclusion as it is shown. */
export interface BenchmarkReport {
  /** The verdict, in sentences, the most important first. */
  readonly verdict: readonly string[];
  /** The key of a score that the page shows. */
  readonly example?: string | undefined;
  /** Members of `report --json` beside the verdict, some of which are estimated for it alone. */
  json(): JsonObject;
  /** Images of the run, and who is right about them: an example for any page about it. */
  readonly pair?: Card | undefined;
  readonly isFromLab: boolean;
  /** The part of it that the run's page of the studio shows. */
  overview(): Overview;
  /** All of it, with the reports that the page links to. */
  report(further?: readonly FurtherChapter[]): Report;
}

/** Another benchmark's report beside this one. */
export interface FurtherChapter {
  readonly title: string;
  readonly verdict: readonly string[];
  /** Relative to this page. */
  readonly address: string;
}

/** Text that `build` prints of a run that it built. */
export interface BuiltText {
  readonly parts: readonly (string | ViewTable)[];
  readonly json: JsonObject;
  /** The words after `touchstone` of the command that goes on. */
  readonly next: readonly string[];
}

export interface BuiltOptions {
  /** The run as its user named it, and its folder. */
  readonly name: string;
  readonly folder: string;
  readonly count: number | undefined;
  readonly flags: Readonly<Record<string, readonly string[]>>;
  readonly drawableBy: string | undefined;
}
