/**
 * Error as a person should read it: the message says what was expected, what came
 * and where; `hint` says how to mend it; `code` is stable for programs.
 */
export class TouchstoneError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = options.hint;
  }
}

/** The user's input is wrong (exit 2). `problems` lists every bad row or member, if many. */
export class InputError extends TouchstoneError {
  readonly problems: readonly string[];

  constructor(
    message: string,
    options: { hint?: string; cause?: unknown; problems?: readonly string[] } = {},
  ) {
    super("input", message, options);
    this.problems = options.problems ?? [];
  }
}

/** A table without a column that was asked for. `columns`: those it has. */
export class MissingColumns extends InputError {
  readonly columns: readonly string[];

  constructor(
    message: string,
    { columns, hint }: { readonly columns: readonly string[]; readonly hint: string },
  ) {
    super(message, { hint });
    this.columns = columns;
  }
}

/** A table in which the verb knows no column; another verb may read it. */
export class UnknownColumns extends MissingColumns {}

/** The work stopped before it was whole (exit 3); `hint` holds the command that goes on with it. */
export class IncompleteError extends TouchstoneError {
  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super("incomplete", message, options);
  }
}

/** What was to be planned is planned, and nothing was asked (exit 0); it ends a verb as an error does. */
export class Planned extends Error {
  /** Undefined if nothing was left to ask. */
  readonly run: string | undefined;
  readonly steps: readonly string[];

  constructor({ run, steps }: { readonly run?: string; readonly steps: readonly string[] }) {
    super(`Planned ${steps.length} steps`);
    this.run = run;
    this.steps = steps;
  }
}

/** A gate that the user set was missed (exit 4). */
export class GateError extends TouchstoneError {
  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super("gate", message, options);
  }
}

/**
 * Whether an import failed because a package is not installed: Node's own error, or that of a bundler's
 * stand-in for an optional peer that is not there.
 */
export const isMissingPackage = (cause: unknown, name: string): boolean =>
  cause instanceof Error &&
  (cause.message.includes(`Could not resolve "${name}"`) ||
    ("code" in cause &&
      cause.code === "ERR_MODULE_NOT_FOUND" &&
      cause.message.includes(`'${name}'`)));
