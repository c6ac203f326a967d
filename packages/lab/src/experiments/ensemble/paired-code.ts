/**
 * WebAssembly for `answeredPrediction`, written out for a number of prompts: JavaScript multiplies one number
 * at a time, WebAssembly two. Rows are taken by two, a and b, and prompts by ten, so that all running sums
 * stay in registers. Each sum adds its numbers in the order in which one row after another would.
 */

type Code = readonly number[];

/** Of the function, in bytes: addresses, and the length of a row of members. */
const parameters = ["answers", "answersEnd", "members", "rowOfMembers", "weights", "into"];
const promptsAtOnce = 10;
const pairNames = Array.from({ length: promptsAtOnce / 2 }, (_, pair) => [`a${pair}`, `b${pair}`]);
const kinds = [
  { code: 0x7f, names: ["member", "membersEnd", "weight"] },
  { code: 0x7c, names: ["aSum", "bSum"] },
  { code: 0x7b, names: ["aMember", "bMember", "weightPair", ...pairNames.flat()] },
];
const locals = [...parameters, ...kinds.flatMap(({ names }) => names)];

const number = (value: number): number[] =>
  value < 64 ? [value] : [(value & 127) | 128, ...number(value >>> 7)];
const sized = (code: Code): Code => [...number(code.length), ...code];
const section = (id: number, ...parts: Code[]): Code => [
  id,
  ...sized([parts.length, ...parts.flat()]),
];
const name = (letters: string): Code => sized([...Buffer.from(letters)]);

const get = (local: string): Code => [0x20, locals.indexOf(local)];
const set = (local: string, value: Code): Code => [...value, 0x21, locals.indexOf(local)];
const add = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
const move = (pointer: string, bytes: number): Code =>
  set(pointer, add(get(pointer), [0x41, ...number(bytes)]));
const sum = (a: Code, b: Code): Code => [...a, ...b, 0xa0];
const least = (a: Code, b: Code): Code => [...a, ...b, 0xa4];
const float = (value: number): Code => [0x44, ...Buffer.from(Float64Array.of(value).buffer)];
const sumOfPairs = (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0xf0, 0x01];
const productOfPairs = (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0xf2, 0x01];
const pairAt = (pointer: string, offset: number): Code => [
  ...get(pointer),
  ...[0xfd, 0x00, 3, ...number(offset)],
];
const twiceAt = (address: Code): Code => [...address, 0xfd, 0x0a, 3, 0];
const half = (pair: string, which: number): Code => [...get(pair), 0xfd, 0x21, which];
const twice = (value: Code): Code => [...value, 0xfd, 0x14];
const store = (pointer: string, offset: number, value: Code): Code => [
  ...[...get(pointer), ...value],
  ...[0x39, 3, offset],
];
/** Runs `body` at least once, and as long as `pointer` is below `end`. */
const whileBelow = (pointer: string, end: string, ...body: Code[]): Code => [
  ...[0x03, 0x40, ...body.flat()],
  ...[...get(pointer), ...get(end), 0x49, 0x0d, 0, 0x0b],
];

/** The length of a row of answers or weights in memory: even, so that all come in pairs. */
export const paddedPrompts = (prompts: number): number => prompts + (prompts % 2);

/** Prompts from `first` on: the products of both rows, added to both sums. */
function somePrompts(prompts: number, first: number): Code {
  const here = Math.min(promptsAtOnce, prompts - first);
  const rowBytes = 8 * paddedPrompts(prompts);
  const pairs = pairNames.slice(0, Math.ceil(here / 2)).flat();
  const offset = (pair: string) => 8 * first + 16 * Number(pair.slice(1));
  const each = (code: (pair: string) => Code) => pairs.flatMap(code);
  const member = (pair: string) => get(pair.startsWith("a") ? "aMember" : "bMember");
  const answers = (pair: string) =>
    pairAt("answers", offset(pair) + (pair.startsWith("a") ? 0 : rowBytes));
  const answered = (row: string, at: number) => half(`${row}${at >> 1}`, at % 2);
  // Of five prompts, the first four are added by two.
  const isByTwo = (at: number) => first + at < prompts - (prompts % 5) && at % 5 < 4;
  const terms = Array.from({ length: here }, (_, at) => at).filter(
    (at) => !(isByTwo(at) && (at % 5) & 1),
  );
  const added = (row: string) =>
    terms.flatMap((at) => {
      const one = answered(row, at);
      const term = isByTwo(at) ? sum(one, answered(row, at + 1)) : one;
      return set(`${row}Sum`, sum(get(`${row}Sum`), term));
    });
  return [
    ...each((pair) => set(pair, twice(float(0)))),
    ...set("weight", get("weights")),
    ...set("member", get("members")),
    ...whileBelow(
      "member",
      "membersEnd",
      set("aMember", twiceAt(get("member"))),
      set("bMember", twiceAt(add(get("member"), get("rowOfMembers")))),
      each((pair) => [
        ...(pair.startsWith("a") ? set("weightPair", pairAt("weight", offset(pair))) : []),
        ...set(pair, sumOfPairs(get(pair), productOfPairs(member(pair), get("weightPair")))),
      ]),
      move("member", 8),
      move("weight", rowBytes),
    ),
    ...each((pair) => set(pair, productOfPairs(get(pair), answers(pair)))),
    ...added("a"),
    ...added("b"),
  ];
}

/**
 * @returns a module that imports `memory` of `from` and exports `predict`, a function of addresses, in bytes: answers,
 *   their end, members, the length of a row of members, weights, and where predictions go. Rows are even.
 */
export function pairedCode(prompts: number): Uint8Array {
  const parts = Array.from({ length: Math.ceil(prompts / promptsAtOnce) }, (_, part) =>
    somePrompts(prompts, part * promptsAtOnce),
  );
  const body = whileBelow(
    "answers",
    "answersEnd",
    set("membersEnd", add(get("members"), get("rowOfMembers"))),
    set("aSum", float(0)),
    set("bSum", float(0)),
    ...parts,
    store("into", 0, least(float(1), get("aSum"))),
    store("into", 8, least(float(1), get("bSum"))),
    set("members", add(get("membersEnd"), get("rowOfMembers"))),
    move("answers", 2 * 8 * paddedPrompts(prompts)),
    move("into", 2 * 8),
  );
  const ofKinds = kinds.flatMap(({ code, names }) => [names.length, code]);
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [0x60, parameters.length, ...parameters.map(() => 0x7f), 0]),
    ...section(2, [...name("from"), ...name("memory"), 2, 0, 1]),
    ...section(3, [0]),
    ...section(7, [...name("predict"), 0, 0]),
    ...section(10, sized([kinds.length, ...ofKinds, ...body, 0x0b])),
  ]);
}
