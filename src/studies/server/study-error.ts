/** Where somebody goes from here, and what they read and may still do there. */
export interface StudyEnd {
  /** A code that is shown. */
  readonly code?: string;
  /** An address that is gone to. */
  readonly redirect?: string;
  readonly debrief?: string | null;
  /** Whether it is told here that images were generated. */
  readonly generated?: boolean;
  /** Whether answers are kept that `POST /api/withdraw` still erases. */
  readonly canErase?: boolean;
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
