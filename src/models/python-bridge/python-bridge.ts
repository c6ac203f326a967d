import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { InputError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import type {
  CallOptions,
  DualEncoder,
  ImageGenerator,
  Localizer,
  Mask,
  Model,
  ModelIdentity,
  Picture,
  RewardModel,
  VisualQuestionAnswering,
} from "../../core/models.js";
import { nearest } from "../../core/nearest.js";
import { NoAnswer } from "../../core/unscored.js";
import { noteText, noteUnseen } from "../../core/whole-input.js";
import { maskOfCoco } from "../../images/coco-mask.js";
import { realClock } from "../http/clock.js";
import { joinedMaking } from "../image-generation/image-making.js";
import { type Answered, Bridge } from "./bridge.js";
import { type Ability, type BridgeCommand, errorOf, resultSchema } from "./bridge-process.js";
import type { Precision } from "./precisions.js";
import { sent } from "./sent-image.js";

export interface PythonBridgeOptions {
  /** The backend's own model where not given, such as clip-flant5-xxl of t2v-vqa-score. */
  readonly model?: string | undefined;
  /** For hpsv2 the version of its weights (v2.0, v2.1); for pick-score a branch, tag or commit. */
  readonly revision?: string | undefined;
  /** The Python that has the backend's packages; python3 where not given. */
  readonly python?: string | undefined;
  /** Such as cpu or cuda:0; a GPU where there is one. Of several, each has a process of its own. */
  readonly device?: string | readonly string[] | undefined;
  /** Items at once; where not given as many as memory and speed allow. */
  readonly batch?: number | undefined;
  /** Processes that prepare images, or that call a function; one for each core. */
  readonly workers?: number | undefined;
  /** What is computed with; what the package does where not given. The last bits of a batch differ by it. */
  readonly precision?: Precision | undefined;
  /** All variables that Python sees; this process's own where not given. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
  /** For an answer; 300. */
  readonly timeoutSeconds?: number | undefined;
  /** For loading the model, which may first be downloaded; 3600. */
  readonly loadSeconds?: number | undefined;
  /** Factor of cosines in pick-score, where it is not the published network's 100. */
  readonly logitScale?: number | undefined;
  /** Of diffusers: input, scheduler, lora, variant, offload. */
  readonly settings?: JsonObject | undefined;
  /** In the place of the name by which the bridge calls it. */
  readonly identity?: ModelIdentity;
  /** Where the modules of function are looked for; the folder in which this process works. */
  readonly directory?: string | undefined;
  /** Starts another program in the place of Python's. */
  readonly command?: BridgeCommand;
}

/** The process behind a model. */
export interface Bridged {
  /** Starts it and loads the model. */
  load(): Promise<void>;
  /** The same, and what a function says of itself: its range, direction and version. */
  described(): Promise<Readonly<Record<string, unknown>>>;
  /** Ends it. Without this it ends with the program. */
  close(): Promise<void>;
  /** The process that runs now. */
  readonly pid: number | undefined;
}

/** How many requests are at a process at a time where no batch is set: two of the largest batches. */
const usualInFlight = 512;

/** How many calls at once keep the processes of a backend busy. */
export const callsInFlight = (
  name: BackendName,
  { device, batch }: PythonBridgeOptions = {},
): number => inFlightOf(backendNamed(name), batch) * devicesOf(device).length;

const inFlightOf = ({ inFlight = usualInFlight }: Backend, batch: number | undefined) =>
  batch === undefined ? inFlight : 3 * batch;

const devicesOf = (device: PythonBridgeOptions["device"]): readonly (string | undefined)[] =>
  typeof device === "object" && device.length > 0 ? device : [device?.toString()];

/** Asks for something of each item; the values come in their order. */
type Ask = (ability: Ability, items: readonly object[], options?: CallOptions) => Promise<Value[]>;

/** The answer to one item: a number, an embedding or mask, or an encoded image. */
type Value = number | Float64Array | Uint8Array;

const embeds = (ask: Ask): Pick<DualEncoder, "embedImage" | "embedText"> => ({
  embedImage: async (image, options) =>
    vectorOf(await ask("embed-image", [{ image: await sent(image) }], options)),
  embedText: async (text, options) => vectorOf(await ask("embed-text", [{ text }], options)),
});

const rewards = (ask: Ask): Pick<RewardModel, "reward"> => ({
  async reward(image, text, options) {
    const [value] = await ask("reward", [{ image: await sent(image), text }], options);
    return numberOf(value);
  },
});

const answers = (ask: Ask): Pick<VisualQuestionAnswering, "probabilityOfYes"> => ({
  async probabilityOfYes(image, questions, options = {}) {
    options.signal?.throwIfAborted();
    if (questions.length === 0) return [];
    const shown = await sent(image);
    const items = questions.map((text) => ({ image: shown, text }));
    return (await ask("probability-of-yes", items, options)).map(probabilityOf);
  },
});

const localizes = (ask: Ask): Pick<Localizer, "localize"> => ({
  async localize(image, entity, options) {
    const [numbers] = await ask("localize", [{ image: await sent(image), text: entity }], options);
    return maskIn(numbers, image);
  },
});

function generates(
  ask: Ask,
  { settings: { input, ...own } = {} }: PythonBridgeOptions,
  described: Bridged["described"],
): Pick<ImageGenerator, "generate"> {
  let said: unknown = input;
  return {
    async generate({ prompt, seed }, options) {
      said ??= (await described()).making ?? {};
      const [bytes] = await ask("generate", [{ text: prompt, seed }], options);
      const making = joinedMaking({ ...own, ...(said instanceof Object ? said : {}) });
      if (bytes instanceof Uint8Array) return making === undefined ? { bytes } : { bytes, making };
      throw new NoAnswer("unparsable", "Expected an image from the bridge but received numbers");
    },
  };
}

const embedding = { abilities: ["embed-image", "embed-text"], does: embeds } as const;
const rewarding = { abilities: ["reward"], does: rewards } as const;
const answering = { abilities: ["probability-of-yes"], does: answers } as const;
const generating = { abilities: ["generate"], does: generates } as const;
const localizing = { abilities: ["localize"], does: localizes } as const;

/** Abilities and defaults of each backend; `bridge/touchstone_bridge/backends` is where they are. */
const backends = {
  hpsv2: { ...embedding, revision: "v2.1" },
  "image-reward": { ...rewarding, model: "ImageReward-v1.0" },
  "pick-score": { ...embedding, model: "yuvalkirstain/PickScore_v1" },
  "open-clip": { ...embedding, model: "ViT-B-16+laion2b_s34b_b88k" },
  "grounded-sam": {
    ...localizing,
    model: "IDEA-Research/grounding-dino-tiny+facebook/sam2.1-hiera-tiny",
  },
  "t2v-clip-score": { ...embedding, model: "openai:ViT-L-14-336" },
  "t2v-vqa-score": { ...answering, model: "clip-flant5-xxl" },
  function: rewarding,
  generator: { ...generating, inFlight: 64 },
  diffusers: { ...generating, inFlight: 8 },
  stub: {
    abilities: [embedding, rewarding, answering, localizing].flatMap(({ abilities }) => abilities),
    does: (ask: Ask) => ({ ...embeds(ask), ...rewards(ask), ...answers(ask), ...localizes(ask) }),
    model: "sha256",
  },
} as const satisfies Record<string, Backend>;

interface Backend {
  readonly abilities: readonly Ability[];
  readonly does: (
    ask: Ask,
    options: PythonBridgeOptions,
    described: Bridged["described"],
  ) => object;
  readonly model?: string;
  readonly revision?: string;
  /** How many requests are at a process at a time, in the place of the usual. */
  readonly inFlight?: number;
}

export type BackendName = keyof typeof backends;

type Does<Name extends BackendName> = ReturnType<(typeof backends)[Name]["does"]>;

/**
 * A metric that is published as a Python package, in a Python process of its own: `hpsv2`,
 * `image-reward`, `open-clip`, `pick-score` and `grounded-sam` (transformers), `t2v-vqa-score` and `t2v-clip-score`
 * (t2v_metrics); `function` calls one of the user's own, that `model` names as module:function, `generator` one that
 * makes images, `diffusers` a pipeline of that name; `stub` answers by arithmetic, to try the way. The packages are not installed here; the error says
 * how. The process is started when it is first asked and again when it dies.
 *
 * @throws InputError for a name that is no backend's; when first asked, where Python or a package is
 *   missing or the model can't be loaded. IncompleteError, when asked, where it dies over and over.
 * @example hps({ model: pythonBridge("hpsv2", { python: "./venv/bin/python" }) })
 */
export function pythonBridge<Name extends BackendName>(
  name: Name,
  options?: PythonBridgeOptions,
): Model & Bridged & Does<Name>;
export function pythonBridge(
  name: BackendName,
  options: PythonBridgeOptions = {},
): Model & Bridged {
  const backend: Backend = backendNamed(name);
  const { model = backend.model, revision = backend.revision, logitScale, batch } = options;
  const devices = devicesOf(options.device);
  const bridge = new Bridge({
    commands: devices.map(
      (device) =>
        options.command ??
        commandFor(name, { ...options, model, revision }, { device, of: devices }),
    ),
    inFlight: inFlightOf(backend, batch),
    backend: name,
    abilities: backend.abilities,
    clock: realClock,
    handshake: 60_000,
    load: (options.loadSeconds ?? 3600) * 1000,
    answer: (options.timeoutSeconds ?? usualSeconds) * 1000,
    accept: (facts) => checkScale(facts.logitScale, logitScale),
  });
  const described = async () => (await bridge.load()).metric ?? {};
  return {
    identity: options.identity ?? {
      provider: "python-bridge",
      model: model === undefined ? name : `${name}:${model}`,
      ...revisionOf(revision, options.precision),
    },
    ...(logitScale === undefined ? {} : { logitScale }),
    async load() {
      await bridge.load();
    },
    described,
    close: () => bridge.close(),
    get pid() {
      return bridge.pid;
    },
    ...backend.does(
      (ability, items, callOptions) => valuesOf(bridge, ability, items, callOptions),
      options,
      described,
    ),
  };
}

function backendNamed(name: string): Backend {
  if (Object.hasOwn(backends, name)) return backends[name as BackendName];
  const names = Object.keys(backends);
  const meant = nearest(name, names);
  throw new InputError(
    `Expected one of ${names.join(", ")} for python-bridge but received "${name}"`,
    meant === undefined ? {} : { hint: `Did you mean ${meant}?` },
  );
}

/** Where the Python side lies, equally far from src/models/python-bridge and from dist/. */
const pythonPackage = new URL("../../../bridge", import.meta.url);

/** A precision that was chosen changes the last bits, so it is part of the model's identity. */
function revisionOf(revision: string | undefined, precision: Precision | undefined) {
  const parts = [revision, precision].filter((part) => part !== undefined);
  return parts.length === 0 ? {} : { revision: parts.join("+") };
}

function commandFor(
  name: string,
  options: PythonBridgeOptions,
  { device, of }: { readonly device: string | undefined; readonly of: readonly unknown[] },
): BridgeCommand {
  const { python = "python3", model, revision, directory, variables, batch, precision } = options;
  const { timeoutSeconds = usualSeconds, settings } = options;
  const workers = options.workers ?? (of.length > 1 ? coresOf(of.length) : undefined);
  const flag = (flagName: string, value: string | number | undefined) =>
    value === undefined ? [] : [`--${flagName}=${value}`];
  return {
    program: python,
    arguments: [
      // Without bytecode beside the sources: they may lie where nothing can be written.
      ...["-B", "-u", "-c", start, fileURLToPath(pythonPackage), `--backend=${name}`],
      ...[...flag("model", model), ...flag("revision", revision), ...flag("device", device)],
      ...[...flag("path", directory), ...flag("batch", batch), ...flag("workers", workers)],
      // Both times that a worker is asked must pass before the process itself is late.
      ...[...flag("precision", precision), ...flag("seconds", 0.45 * timeoutSeconds)],
      ...flag("settings", settings && JSON.stringify(settings)),
    ],
    environment: variables,
  };
}

/** For an answer. */
const usualSeconds = 300;

/** Its share of the cores, for each of several processes. */
const coresOf = (processes: number) => Math.max(1, Math.floor(availableParallelism() / processes));

/** Finds the package where it lies, without a word to the environment that others may read. */
const start =
  "import sys; sys.path.insert(0, sys.argv.pop(1)); " +
  "from touchstone_bridge.__main__ import main; sys.exit(main())";

async function valuesOf(
  bridge: Bridge,
  ability: Ability,
  items: readonly object[],
  { signal, trace }: CallOptions = {},
): Promise<Value[]> {
  try {
    const answered = await bridge.ask(ability, items, signal === undefined ? {} : { signal });
    const { reply } = answered;
    if ("error" in reply) throw errorOf(reply.error);
    if (!("results" in reply) || reply.results.length !== items.length) {
      throw new NoAnswer("provider-error", "The bridge answered another number of questions");
    }
    const { packages, device = null } = answered.facts;
    trace?.({ kind: "bridge-call", ability, items: items.length, packages, device });
    return valuesIn(reply.results, answered.follows, trace);
  } catch (error) {
    if (error instanceof NoAnswer) {
      trace?.({ kind: "attempt-failed", attempt: 1, problem: error.message });
    }
    throw error;
  }
}

const noNumbers = () =>
  new NoAnswer("unparsable", "Expected finite numbers from the bridge but received others");

/** The values of all items; the first without one is thrown. */
function valuesIn(
  results: readonly unknown[],
  follows: Answered["follows"],
  trace: CallOptions["trace"],
): Value[] {
  let at = 0;
  const next = (length: number) => {
    const bytes = follows.subarray(at, at + length);
    at += length;
    if (bytes.length < length) throw noNumbers();
    return bytes;
  };
  return results.map((result) => {
    const { data } = resultSchema.safeParse(result);
    if (data === undefined) throw noNumbers();
    if ("error" in data) throw errorOf(data.error);
    const { value, numbers, bytes, tokens, unseen = 0 } = data;
    if (tokens !== undefined) noteText(trace, tokens);
    noteUnseen(trace, unseen);
    if (value !== undefined) return value;
    if (bytes !== undefined) return next(bytes);
    if (numbers === undefined) throw noNumbers();
    const found = next(8 * numbers);
    const read = Float64Array.from({ length: numbers }, (_, place) =>
      found.readDoubleLE(8 * place),
    );
    if (!read.every(Number.isFinite)) throw noNumbers();
    return read;
  });
}

function numberOf(value: Value | undefined): number {
  if (typeof value === "number") return value;
  throw new NoAnswer("unparsable", "Expected one number from the bridge but received an embedding");
}

/** Height and width, then run lengths down the columns, first those outside, as COCO has them. */
function maskIn(numbers: Value | undefined, image: Picture): Mask | undefined {
  const [height, width, ...counts] = numbers instanceof Float64Array ? numbers : [];
  if (height === undefined || width === undefined) {
    throw new NoAnswer("unparsable", "Expected a mask from the bridge but received one number");
  }
  const mask = maskOfCoco({ size: [height, width], counts }, image);
  if (typeof mask === "string")
    throw new NoAnswer("unparsable", `Expected ${mask} (from the bridge)`);
  return mask.data.includes(1) ? mask : undefined;
}

/** Sums of 32-bit numbers may lie a hair outside. */
function probabilityOf(value: Value): number {
  const number = numberOf(value);
  if (number >= -1e-6 && number <= 1 + 1e-6) return Math.min(1, Math.max(0, number));
  throw new NoAnswer("unparsable", `Expected a probability from the bridge but received ${number}`);
}

function vectorOf([value]: readonly Value[]): Float32Array {
  if (value instanceof Float64Array) return Float32Array.from(value);
  throw new NoAnswer("unparsable", "Expected an embedding from the bridge but received a number");
}

/** Metrics are described before a model is loaded, so its scale must be what they were told. */
function checkScale(found: number | undefined, told = 100): void {
  if (found === undefined || Math.abs(found / told - 1) < 1e-3) return;
  throw new InputError(
    `Expected a network that multiplies cosines by ${told} but this one does so by ${found}`,
    { hint: `Set it: logitScale: ${found} in its settings` },
  );
}
