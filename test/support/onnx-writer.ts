/**
 * Writes ONNX graphs of a few nodes, for tests that want a real file with weights known by heart.
 * Just enough of the format (onnx.proto3 in protocol-buffer encoding, opset 13).
 */
export interface TinyGraph {
  readonly inputs: readonly TinyValue[];
  readonly outputs: readonly TinyValue[];
  readonly nodes: readonly TinyNode[];
  readonly constants: readonly TinyConstant[];
}

export interface TinyValue {
  readonly name: string;
  readonly type: "float32" | "int64";
  /** A name stands for a size that is known when the graph runs. */
  readonly shape: readonly (number | string)[];
}

interface TinyNode {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

interface TinyConstant extends TinyValue {
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

export function writeOnnx({ inputs, outputs, nodes, constants }: TinyGraph): Uint8Array {
  const graph = message(
    ...nodes.map((node) => field(1, nodeMessage(node))),
    field(2, "tiny"),
    ...constants.map((constant) => field(5, constantMessage(constant))),
    ...inputs.map((value) => field(11, valueMessage(value))),
    ...outputs.map((value) => field(12, valueMessage(value))),
  );
  const irVersion = 8;
  const opset = message(field(1, ""), field(2, 13));
  return message(field(1, irVersion), field(7, graph), field(8, opset));
}

const elementTypes = { float32: 1, int64: 7 } as const;

const nodeMessage = ({ operator, inputs, output, attributes = {} }: TinyNode) =>
  message(
    ...inputs.map((name) => field(1, name)),
    field(2, output),
    field(4, operator),
    ...Object.entries(attributes).map(([name, value]) =>
      field(
        5,
        typeof value === "number"
          ? message(field(1, name), field(3, value), field(20, 2))
          : message(field(1, name), ...value.map((each) => field(8, each)), field(20, 7)),
      ),
    ),
  );

function constantMessage({ name, type, shape, values }: TinyConstant): Uint8Array {
  const typed = type === "float32" ? Float32Array.from(values) : BigInt64Array.from(values, BigInt);
  return message(
    ...shape.map((size) => field(1, size)),
    field(2, elementTypes[type]),
    field(8, name),
    field(9, new Uint8Array(typed.buffer)),
  );
}

function valueMessage({ name, type, shape }: TinyValue): Uint8Array {
  const sizes = shape.map((size) =>
    field(1, typeof size === "number" ? message(field(1, size)) : message(field(2, size))),
  );
  const tensor = message(field(1, elementTypes[type]), field(2, message(...sizes)));
  return message(field(1, name), field(2, message(field(1, tensor))));
}

const message = (...fields: readonly Uint8Array[]): Uint8Array => Buffer.concat(fields);

function field(number: number, value: number | string | Uint8Array): Uint8Array {
  if (typeof value === "number")
    return Buffer.concat([variableLength(number << 3), variableLength(value)]);
  const bytes = typeof value === "string" ? Buffer.from(value) : value;
  return Buffer.concat([variableLength((number << 3) | 2), variableLength(bytes.length), bytes]);
}

/** Seven bits a byte, lowest first; negative numbers in 64 bits. */
function variableLength(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
