/**
 * WebAssembly for both products of labels' tables, written out for a number of prompts: JavaScript multiplies
 * one number at a time, WebAssembly two. Two rows, a and b, and ten prompts are taken at once, so that all
 * running sums stay in registers. Each sum adds its numbers in the order in which `label-products.ts` does.
 */

type Code = readonly number[];

/** What is multiplied: rows of members, labels x groups, by a field, groups x prompts; or their columns by values. */
type Product = "valueOfLabels" | "sumOverLabels";

/**
 * Of the functions, in bytes. `factors`: labels x prompts, or a number for each label. `field`: groups x prompts,
 * or labels x prompts. Rows of prompts are even.
 */
const parameters = ["factors", "members", "membersEnd", "rowOfMembers", "field", "into", "intoEnd"];
const promptsAtOnce = 10;
const pairNames = Array.from({ length: promptsAtOnce / 2 }, (_, pair) => [`a${pair}`, `b${pair}`]);
const kinds = [
  { code: 0x7f, names: ["member", "fieldRow", "factor"] },
  { code: 0x7c, names: ["aSum", "bSum"] },
  { code: 0x7b, names: ["aMember", "bMember", "fieldPair", ...pairNames.flat()] },
];
const locals = [...parameters, ...kinds.flatMap(({ names }) => names)];

const number = (value: number): number[] =>
  value < 64 ? [value] : [(value & 127) | 128, ...number(value >>> 7)];
const sized = (code: Code): Code => [...number(code.length), ...code];
const section = (id: number, ...parts: Code[]): Code => [
  id,
  ...sized([parts.length, ...parts.flat()]),
];
const name = (letters: string): Code => sized(Array.from(letters, (each) => each.charCodeAt(0)));

const get = (local: string): Code => [0x20, locals.indexOf(local)];
const set = (local: string, value: Code): Code => [...value, 0x21, locals.indexOf(local)];
const add = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
const move = (pointer: string, bytes: number): Code =>
  set(pointer, add(get(pointer), [0x41, ...number(bytes)]));
const sum = (a: Code, b: Code): Code => [...a, ...b, 0xa0];
const zero: Code = [0x44, 0, 0, 0, 0, 0, 0, 0, 0];
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
const storePair = (pointer: string, offset: number, value: Code): Code => [
  ...[...get(pointer), ...value],
  ...[0xfd, 0x0b, 3, ...number(offset)],
];
/** Runs `body` at least once, and as long as `pointer` is below `end`. */
const whileBelow = (pointer: string, end: string, ...body: Code[]): Code => [
  ...[0x03, 0x40, ...body.flat()],
  ...[...get(pointer), ...get(end), 0x49, 0x0d, 0, 0x0b],
];

/** The length of a row of prompts in memory: even, so that all come in pairs. */
export const paddedPrompts = (prompts: number): number => prompts + (prompts % 2);

/** Prompts from `first` on: two rows' sums of products, and what becomes of them. */
function somePrompts(product: Product, prompts: number, first: number): Code {
  const rowBytes = 8 * paddedPrompts(prompts);
  const count = Math.ceil(Math.min(promptsAtOnce, prompts - first) / 2);
  const pairs = pairNames.slice(0, count).flat();
  const each = (code: (pair: string, row: string, offset: number) => Code) =>
    pairs.flatMap((pair) => {
      const [row = "", at] = pair;
      return code(pair, row, 8 * first + 16 * Number(at));
    });
  const isByLabel = product === "valueOfLabels";
  const toOther: Code = isByLabel ? get("rowOfMembers") : [0x41, 8];
  const toNext: Code = isByLabel ? [0x41, 8] : get("rowOfMembers");
  const factored = (member: Code) =>
    isByLabel ? member : productOfPairs(twiceAt(get("factor")), member);
  return [
    ...each((pair) => set(pair, twice(zero))),
    ...set("fieldRow", get("field")),
    ...set("member", get("members")),
    ...(isByLabel ? [] : set("factor", get("factors"))),
    ...whileBelow(
      "member",
      "membersEnd",
      set("aMember", factored(twiceAt(get("member")))),
      set("bMember", factored(twiceAt(add(get("member"), toOther)))),
      each((pair, row, offset) => [
        ...(row === "a" ? set("fieldPair", pairAt("fieldRow", offset)) : []),
        ...set(pair, sumOfPairs(get(pair), productOfPairs(get(`${row}Member`), get("fieldPair")))),
      ]),
      set("member", add(get("member"), toNext)),
      move("fieldRow", rowBytes),
      isByLabel ? [] : move("factor", 8),
    ),
    ...each((pair, row, offset) => {
      const at = offset + (row === "a" ? 0 : rowBytes);
      if (!isByLabel) return storePair("into", at, get(pair));
      return [
        ...set(pair, productOfPairs(get(pair), pairAt("factors", at))),
        ...set(`${row}Sum`, sum(get(`${row}Sum`), sum(half(pair, 0), half(pair, 1)))),
      ];
    }),
  ];
}

function productOf(product: Product, prompts: number): Code {
  const parts = Array.from({ length: Math.ceil(prompts / promptsAtOnce) }, (_, part) =>
    somePrompts(product, prompts, part * promptsAtOnce),
  );
  const rowBytes = 8 * paddedPrompts(prompts);
  const afterTwoRows = (pointer: string) =>
    set(pointer, add(add(get(pointer), get("rowOfMembers")), get("rowOfMembers")));
  const byLabel = [
    ...[set("aSum", zero), set("bSum", zero)],
    ...parts,
    ...[store("into", 0, get("aSum")), store("into", 8, get("bSum")), move("into", 2 * 8)],
    ...[afterTwoRows("members"), afterTwoRows("membersEnd"), move("factors", 2 * rowBytes)],
  ];
  const byGroup = [...parts, move("members", 2 * 8), move("into", 2 * rowBytes)];
  const body = whileBelow("into", "intoEnd", ...(product === "valueOfLabels" ? byLabel : byGroup));
  const ofKinds = kinds.flatMap(({ code, names }) => [names.length, code]);
  return sized([kinds.length, ...ofKinds, ...body, 0x0b]);
}

/** @returns a module that imports `memory` of `from` and exports both products, functions of `parameters`. */
export function pairedCode(prompts: number): Uint8Array {
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [0x60, parameters.length, ...parameters.map(() => 0x7f), 0]),
    ...section(2, [...name("from"), ...name("memory"), 2, 0, 1]),
    ...section(3, [0], [0]),
    ...section(7, [...name("valueOfLabels"), 0, 0], [...name("sumOverLabels"), 0, 1]),
    ...section(10, productOf("valueOfLabels", prompts), productOf("sumOverLabels", prompts)),
  ]);
}
