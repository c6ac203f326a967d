import type { Environment } from "../../environment.js";

/**
 * Finding of one look at the installation. `missing` may stay so: something optional is not there.
 * `wrong` must be mended, and `advice` says how.
 */
export interface Finding {
  readonly state: "ok" | "missing" | "wrong";
  readonly detail: string;
  readonly advice?: string;
  /** Printed in place of a detail that is long. */
  readonly summary?: string;
}

/** One line of `touchstone doctor`. */
export interface Check {
  readonly name: string;
  look(environment: Environment): Promise<Finding>;
}

/** A finding from something that throws where it is broken. */
export async function tryOut(attempt: () => Promise<string>, advice: string): Promise<Finding> {
  try {
    return { state: "ok", detail: await attempt() };
  } catch (error) {
    const detail = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return { state: "wrong", detail, advice };
  }
}
