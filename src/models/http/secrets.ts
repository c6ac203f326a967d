/** A text that may stand nowhere, with what stands in its place. */
export interface Secret {
  readonly name: string;
  /** Printable ASCII. */
  readonly value: string;
  /** What stands before it in the header, such as Bearer. */
  readonly behind: string;
}

/** Shorter secrets may also be a word or a number of an answer: a server of one's own takes "none". */
const shortest = 6;

/**
 * Takes secrets out of what a provider says: as they are, as JSON, URLs and base64 write them, the
 * last also within something longer, such as the name and password of a header. One of fewer than 6
 * characters is taken out where it stands by itself; of an answer, which it must not change, only
 * where it stands as in the header.
 */
export function secretRemover(
  secrets: readonly Secret[],
): (text: string, about?: { readonly isAnswer: boolean }) => string {
  const spelled = secrets.flatMap(({ name, value }) =>
    value.length < shortest ? [] : spellingsOf(value).map((spelling) => ({ name, spelling })),
  );
  // The longer first: one spelling may be a part of another.
  spelled.sort((a, b) => b.spelling.length - a.spelling.length);
  const short = secrets.flatMap(({ name, value, behind }) => {
    if (value.length >= shortest) return [];
    const written = [...new Set(jsonSpellings(value))].reverse();
    const word = `(?:${written.map(literally).join("|")})(?!\\w)`;
    const before = behind.replaceAll(
      /[a-z]/gi,
      (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`,
    );
    return [
      {
        name,
        inAnswer: new RegExp(`(?<=\\b${before}\\W{1,4})${word}`, "g"),
        inFailure: new RegExp(`(?<!\\w)${word}`, "g"),
      },
    ];
  });
  return (text, { isAnswer } = { isAnswer: false }) => {
    const long = spelled.reduce(
      (redacted, { name, spelling }) => redacted.replaceAll(spelling, `[${name}]`),
      text,
    );
    return short.reduce(
      (redacted, { name, inAnswer, inFailure }) =>
        redacted.replaceAll(isAnswer ? inAnswer : inFailure, () => `[${name}]`),
      long,
    );
  };
}

/** As it is, and as JSON writes it: the longer last. */
function jsonSpellings(value: string): readonly string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  return [value, inJson, inJson.replaceAll("/", "\\/")];
}

const literally = (text: string): string =>
  [...Buffer.from(text)].map((code) => `\\x${code.toString(16)}`).join("");

function spellingsOf(value: string): string[] {
  const inUrl = encodeURIComponent(value);
  const base64 = [0, 1, 2].map((before) => base64Within(value, before));
  const all = [
    ...jsonSpellings(value),
    ...[inUrl, inUrl.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())],
    ...base64,
    ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ];
  return [...new Set(all)];
}

/** The characters of base64 that a text alone decides where so many bytes, modulo 3, precede it. */
function base64Within(text: string, before: number): string {
  const whole = Buffer.from(`${"x".repeat(before)}${text}`)
    .toString("base64")
    .replace(/=+$/, "");
  const bits = 8 * (before + text.length);
  return whole.slice(Math.ceil((8 * before) / 6), Math.floor(bits / 6));
}
