/** A file that is not as it should be, and what must become of it. */
export interface MalformedTable {
  readonly name: string;
  readonly file: string;
  readonly content: string | Uint8Array;
  readonly words?: readonly string[];
  /**
   * "the same": read as the sound table is. `like`: whatever becomes of that other content. Else refused
   * with a message that matches, and with the line where there is one.
   */
  readonly becomes:
    | "the same"
    | { readonly like: string }
    | { readonly refused: RegExp; readonly line?: number };
}

export const same = "the same";
export const refused = (message: RegExp, line?: number) =>
  line === undefined ? { refused: message } : { refused: message, line };
