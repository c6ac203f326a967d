import { GateError, IncompleteError, InputError, TouchstoneError } from "../core/errors.js";

/** The promise to scripts: these numbers never change. */
export const exitCodes = {
  done: 0,
  fault: 1,
  input: 2,
  incomplete: 3,
  gate: 4,
  interrupted: 130,
} as const;

/** The exit code for what a verb threw. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof InputError) return exitCodes.input;
  if (error instanceof IncompleteError) return exitCodes.incomplete;
  if (error instanceof GateError) return exitCodes.gate;
  // A full disk or a database that is away is nobody's fault here; what was asked for is not there.
  if (error instanceof TouchstoneError && ["disk", "store"].includes(error.code)) {
    return exitCodes.incomplete;
  }
  return exitCodes.fault;
}
