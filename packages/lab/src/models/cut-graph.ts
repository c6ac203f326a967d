/** A graph in two parts, each the bytes of an ONNX file. */
export interface CutGraph {
  /** Makes of the one input what `rest` reads of it. */
  readonly first: Uint8Array;
  readonly rest: Uint8Array;
}

/**
 * Cuts a graph into what depends on one input alone and the rest, so that the first part need not run
 * again while that input stays. The parts hold the graph's own operators and weights, and what passes
 * between them are 32-bit numbers: the answer is the same to the last bit.
 *
 * @returns undefined where one of the parts would be empty, or a size would pass.
 */
export function cutGraph(model: Uint8Array, input: string): CutGraph | undefined {
  const file = fieldsOf(model);
  const graph = file.find(({ number }) => number === modelGraph);
  const parts = fieldsOf(graph?.body ?? new Uint8Array());
  const all = (number: number) => parts.filter((part) => part.number === number);
  const nodes = all(1).map(({ whole, body }) => ({
    whole,
    isShape: nameIn(body, 4) === "Shape",
    inputs: namesIn(body, 1),
    outputs: namesIn(body, 2),
  }));
  const inputs = all(graphInput).map(({ whole, body }) => ({ whole, name: nameIn(body, 1) }));
  /** Which inputs each value depends on; weights and constants on none. */
  const sources = new Map(inputs.map(({ name }) => [name, new Set([name])]));
  const sourcesOf = (names: readonly string[]) =>
    new Set(names.flatMap((name) => [...(sources.get(name) ?? [])]));
  /** Sizes, and what is reckoned of sizes alone: whole numbers. */
  const sizes = new Set<string>();
  for (const node of nodes) {
    const read = node.inputs.filter((name) => (sources.get(name)?.size ?? 0) > 0);
    const isSize = node.isShape || (read.length > 0 && read.every((name) => sizes.has(name)));
    for (const output of node.outputs) {
      sources.set(output, sourcesOf(node.inputs));
      if (isSize) sizes.add(output);
    }
  }
  const isFirst = (names: readonly string[]) => {
    const of = sourcesOf(names);
    return of.size === 1 && of.has(input);
  };
  const rest = nodes.filter((node) => sourcesOf(node.outputs).size > 0 && !isFirst(node.outputs));
  const passed = [...new Set(rest.flatMap((node) => node.inputs))].filter((name) =>
    isFirst([name]),
  );
  if (passed.length === 0 || passed.includes(input)) return undefined;
  if (passed.some((name) => sizes.has(name))) return undefined;

  const makers = new Map(nodes.flatMap((node) => node.outputs.map((output) => [output, node])));
  /** What makes the values, in order, without what `given` stands for. */
  const makersOf = (names: readonly string[], given: readonly string[]) => {
    const found = new Set<(typeof nodes)[number]>();
    const open = names.filter((name) => !given.includes(name));
    for (const name of open) {
      const maker = makers.get(name);
      if (maker === undefined || found.has(maker)) continue;
      found.add(maker);
      for (const each of maker.inputs) if (!given.includes(each)) open.push(each);
    }
    return nodes.filter((node) => found.has(node));
  };
  const fileOf = (own: typeof nodes, ends: readonly Uint8Array[]) => {
    const read = new Set(own.flatMap((node) => node.inputs));
    const weights = all(graphWeights).filter(({ body }) => read.has(nameIn(body, 8)));
    const wholes = [...own, ...weights].map(({ whole }) => whole);
    const named = field(2, new TextEncoder().encode("part"));
    const made = field(modelGraph, ...wholes, named, ...ends);
    const others = file.filter(({ number }) => number !== modelGraph);
    return joined([...others.map(({ whole }) => whole), made]);
  };
  const outputs = all(graphOutput);
  const ends = (own: boolean) =>
    inputs.filter(({ name }) => (name === input) === own).map(({ whole }) => whole);
  return {
    first: fileOf(makersOf(passed, []), [
      ...ends(true),
      ...passed.map((name) => numbersNamed(graphOutput, name)),
    ]),
    rest: fileOf(
      makersOf(
        outputs.map(({ body }) => nameIn(body, 1)),
        passed,
      ),
      [
        ...ends(false),
        ...passed.map((name) => numbersNamed(graphInput, name)),
        ...outputs.map(({ whole }) => whole),
      ],
    ),
  };
}

// Numbers of fields in https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
const modelGraph = 7;
const graphWeights = 5;
const graphInput = 11;
const graphOutput = 12;

/** Declares a value of 32-bit numbers of any shape. */
const numbersNamed = (number: number, name: string): Uint8Array =>
  field(number, field(1, new TextEncoder().encode(name)), field(2, field(1, Uint8Array.of(8, 1))));

interface Field {
  readonly number: number;
  readonly body: Uint8Array;
  /** With its tag. */
  readonly whole: Uint8Array;
}

/** The fields of a message of protocol buffers; what is no text, bytes or message has no body. */
function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const wholeNumber = () => {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte % 128) * unit;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const from = at;
    const tag = wholeNumber();
    const kind = tag % 8;
    if (kind === 0) wholeNumber();
    const length = kind === 2 ? wholeNumber() : ({ 1: 8, 5: 4 }[kind] ?? 0);
    const body = message.subarray(at, at + length);
    at += length;
    fields.push({ number: Math.floor(tag / 8), body, whole: message.subarray(from, at) });
  }
  return fields;
}

const namesIn = (message: Uint8Array, number: number): string[] =>
  fieldsOf(message)
    .filter((each) => each.number === number)
    .map(({ body }) => new TextDecoder().decode(body));

const nameIn = (message: Uint8Array, number: number): string => namesIn(message, number)[0] ?? "";

function field(number: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const head = [number * 8 + 2];
  let length = parts.reduce((sum, part) => sum + part.length, 0);
  for (; length >= 128; length = Math.floor(length / 128)) head.push((length % 128) + 128);
  return joined([Uint8Array.from([...head, length]), ...parts]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
