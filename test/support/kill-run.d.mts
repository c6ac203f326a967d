/** What came of a run that was killed over and over. */
export interface KilledRun {
  /** How often it was killed before it had ended. */
  readonly killed: number;
  /** The files of `records/` and their text. */
  readonly records: Readonly<Record<string, string>>;
  /** What stands in the run's folder. */
  readonly left: readonly string[];
  /** Different texts that the server was asked about. */
  readonly asked: number;
  /** How often it was asked about one that it had been asked about before. */
  readonly again: number;
}

export declare function killRun(options: {
  readonly directory: string;
  readonly calls: number;
  readonly kills: number;
  readonly concurrency: number;
  /** Milliseconds until the server answers. */
  readonly delay: number;
  readonly inOrder?: number;
  readonly jitter?: number;
  readonly seed?: number;
}): Promise<KilledRun>;
