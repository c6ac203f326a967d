/** Where somebody goes from here: a code that is shown, or an address. */
export interface StudyEnd {
  readonly code?: string;
  readonly redirect?: string;
}

/** A request that is refused: status, a code for programs, a sentence for people. */
export class StudyError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429;
  readonly code: string;
  readonly end: StudyEnd;

  constructor(status: StudyError["status"], code: string, message: string, end: StudyEnd = {}) {
    super(message);
    this.name = "StudyError";
    this.status = status;
    this.code = code;
    this.end = end;
  }
}
