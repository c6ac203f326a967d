import type { Arguments, Filled } from "../../core/options.js";
import type { Foreseen } from "../../core/step.js";

/** What the field of an argument offers: paths below the folder, models, metrics, columns, or a side of a comparison. */
export type Picks = "path" | "model" | "metric" | "column" | "side";

/** A verb as a form: its own arguments, and which of them stand in sight. */
export interface StartVerb {
  /** Its words after `touchstone`. */
  readonly name: string;
  /** What it is for, in a few words. */
  readonly title: string;
  readonly arguments: Arguments;
  readonly picks: Readonly<Record<string, Picks>>;
  readonly inSight: readonly string[];
  /** Titles and words of arguments where the form says more plainly what its problem needs. */
  readonly says?: Readonly<Record<string, readonly [title: string, description: string]>>;
  /** Of these arguments one must be filled in. */
  readonly needs?: readonly string[];
  /** The arguments that name models: where none is filled in, none is asked. */
  readonly asks?: readonly string[];
  /** Entries that the form begins with. */
  readonly filled: Filled;
  /** Entries with which it says its calls and cost and asks no model; undefined where it can't. */
  readonly estimate?: Filled;
}

/** A problem that people come with, and the verbs that answer it. */
export interface StartForm {
  readonly id: string;
  readonly title: string;
  readonly question: string;
  readonly verbs: readonly StartVerb[];
}

/** All that the page of a new job begins with. */
export interface NewJob {
  readonly forms: readonly StartForm[];
  /** Models of touchstone.config.yaml, by name. */
  readonly models: readonly string[];
  readonly metrics: readonly string[];
  /** Files and folders below the one that the studio was opened on. */
  readonly places: readonly string[];
  readonly directory: string;
  /** Whether the page was opened by the link with the token. */
  readonly mayStart: boolean;
}

/** The first rows of a table that a form names. */
export interface TablePreview {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * How a job stands. `starting` and `running` are at work; `gone` ended without an exit code: its process was killed, or
 * the machine went off.
 */
export type JobState =
  | "starting"
  | "running"
  | "done"
  | "incomplete"
  | "gate-missed"
  | "failed"
  | "stopped"
  | "gone";

export interface Job {
  readonly id: string;
  readonly verb: string;
  /** The command line, as a person would type it. */
  readonly command: string;
  readonly state: JobState;
  /** UTC. */
  readonly started: string;
  readonly ended?: string;
  readonly code?: number | null;
  /** The last line of progress: how many of how many, rate, time left, unscored, cost. */
  readonly progress?: string;
  readonly verdict?: string;
  /** The folder of a study that it made or serves. */
  readonly study?: string;
}

/** A job with all that its page shows. */
export interface JobDetail extends Job {
  /** The end of what it said about its work. */
  readonly log: string;
  /** Why it failed, and how to mend that, where it said so. */
  readonly problem?: { readonly message: string; readonly hint?: string };
  /** Addresses of what it made: its page, its run. */
  readonly page?: string;
  readonly run?: string;
  /** The command that goes on once people have answered, and their study. */
  readonly goOn?: string;
  /** Entries of its form, to start from. */
  readonly filled: Filled;
  /** Whether results without an answer can be asked for again. */
  readonly canRetry: boolean;
}

export interface JobList {
  readonly jobs: readonly Job[];
}

/** What a start came to: the job, which was at work already where it is not new. */
export interface StartedJob {
  readonly id: string;
  readonly isNew: boolean;
}

/** Work that a verb has still to do, as its JSON forecasts it. */
export interface JobEstimate {
  readonly steps: readonly Foreseen[];
}

/** What the studio must be told to start verbs, which it knows nothing of. */
export interface Starts {
  readonly forms: () => Promise<readonly StartForm[]>;
  readonly named: () => Promise<Pick<NewJob, "models" | "metrics">>;
  /** The words after `touchstone`. @throws InputError where the verb would refuse them. */
  readonly wordsOf: (verb: string, filled: Filled) => Promise<readonly string[]>;
  /** The program and the words before a verb's. */
  readonly program: readonly [program: string, ...words: string[]];
  /** What a started process finds in its environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What a request must carry to start anything. */
  readonly token: string;
  /** Stands for the token in the link that opens the browser, once. */
  readonly openingToken?: string;
}
