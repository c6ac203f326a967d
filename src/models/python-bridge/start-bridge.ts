import { InputError } from "../../core/errors.js";
import type { Clock } from "../http/clock.js";
import {
  type Ability,
  type BridgeCommand,
  BridgeProcess,
  errorOf,
  type Facts,
  type Frame,
  factsSchema,
  helloSchema,
  protocolVersion,
  replySchema,
} from "./bridge-process.js";

export interface StartOptions {
  readonly command: BridgeCommand;
  readonly backend: string;
  readonly abilities: readonly Ability[];
  readonly clock: Clock;
  /** Milliseconds until a started process has said what it is. */
  readonly handshake: number;
  /** Milliseconds for loading the model, which may first be downloaded. */
  readonly load: number;
  /** Throws where a loaded model is not the one that was meant. */
  readonly accept: (facts: Facts) => void;
}

/** The request that loads the model; later ones have higher numbers. */
const loadId = 0;

/**
 * Starts a process, learns what it is, has it load its model and then hands its lines on.
 *
 * @returns the process at once, and when it is ready what it says of its model
 * @throws InputError, by `ready`, where there is no Python, it is no bridge, a package is missing or
 *   the model can't be loaded.
 */
export function startBridge(
  { command, backend, abilities, clock, handshake, load, accept }: StartOptions,
  {
    onFrame,
    onEnd,
  }: { readonly onFrame: (frame: Frame) => void; readonly onEnd: (how: string) => void },
): { readonly process: BridgeProcess; readonly ready: Promise<Facts> } {
  const { promise: ready, resolve, reject } = deferred<Facts>();
  let state: "started" | "loading" | "ready" = "started";
  const within = (milliseconds: number, late: string) =>
    clock.timer(milliseconds, () => process.kill(`${late} ${milliseconds / 1000} seconds`));
  const process = new BridgeProcess(command, {
    onFrame(frame) {
      if (state === "ready") return onFrame(frame);
      stopTimer();
      try {
        if (state === "started") {
          checkHello(frame.message, { backend, abilities });
          state = "loading";
          stopTimer = within(load, "was loading for more than");
          void process.send({ id: loadId, method: "load" });
        } else {
          const facts = factsOf(frame.message);
          accept(facts);
          state = "ready";
          resolve(facts);
        }
      } catch (error) {
        reject(error);
        process.kill("was refused");
      }
    },
    onNoFrame(text) {
      if (state === "started") reject(noBridge(text));
    },
    onEnd(how, cause) {
      stopTimer();
      if (state === "ready") return onEnd(how);
      const words = `The bridge to ${backend} ${how} before it was ready${process.lastWords}`;
      reject(notStarted(words, command.program, cause));
    },
  });
  let stopTimer = within(handshake, "said nothing for");
  return { process, ready };
}

const noBridge = (text: string): InputError =>
  new InputError(`Expected a bridge but it first says: ${text}`, {
    hint: "Is the Python the one that is meant? (TOUCHSTONE_PYTHON, or python in its settings)",
  });

function checkHello(
  message: unknown,
  { backend, abilities }: Pick<StartOptions, "backend" | "abilities">,
): void {
  const { success, data } = helloSchema.safeParse(message);
  if (!success) throw noBridge(JSON.stringify(message).slice(0, 200));
  const lacks = abilities.filter((ability) => !data.abilities.includes(ability));
  if (data.protocol === protocolVersion && data.backend === backend && lacks.length === 0) return;
  throw new InputError(
    `Expected protocol ${protocolVersion} of ${backend} from the bridge but received protocol ` +
      `${data.protocol} of ${data.backend}${lacks.length > 0 ? ` without ${lacks.join(", ")}` : ""}`,
    { hint: "The folder bridge must be of the same version of touchstone" },
  );
}

function factsOf(message: unknown): Facts {
  const reply = replySchema.safeParse(message);
  if (reply.success && reply.data.id === loadId) {
    if ("error" in reply.data) throw errorOf(reply.data.error);
    const facts = factsSchema.safeParse("result" in reply.data ? reply.data.result : undefined);
    if (facts.success) return facts.data;
  }
  throw new InputError(
    `The bridge does not say what it loaded: ${JSON.stringify(message).slice(0, 200)}`,
  );
}

function notStarted(words: string, program: string, cause: NodeJS.ErrnoException | undefined) {
  if (cause === undefined) return new InputError(words, { hint: `Is ${program} a Python?` });
  return new InputError(`Can't start ${program}, which python-bridge needs: ${cause.message}`, {
    hint: "Name a Python 3.9 or later: TOUCHSTONE_PYTHON=/path/to/python, or python in its settings",
    cause,
  });
}

function deferred<Value>() {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  return { promise, resolve, reject };
}
