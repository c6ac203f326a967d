/** A text's words in small letters, without marks. */
export const plainWords = (text: string): string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
