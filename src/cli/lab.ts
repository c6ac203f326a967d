import { existsSync } from "node:fs";
import type { World } from "../benchmarks/world.js";
import { InputError, isMissingPackage } from "../core/errors.js";
import type { ImageGenerator, Model } from "../core/models.js";
import type { Command, CommandGroup } from "./command-line/command.js";
import type { Runtime } from "./models/runtime-argument.js";
import { toolFile, version } from "./program.js";
import type { KnownPair, LabSample } from "./verbs/card/card-asks.js";
import type { Check } from "./verbs/doctor/checks.js";

/** What the tool uses of the lab, a built-in world of clip art with models that know it. */
export interface Lab {
  /** Of the package; the tool takes its own only. */
  readonly version: string;
  readonly models: {
    /** @throws InputError for a name that is none of the lab's. */
    make(name: string, options: { readonly runtime: Runtime }): Model;
    /** @throws InputError that says what to install, where the runtime is not there. */
    checkRuntime(runtime: Runtime): Promise<void>;
  };
  /**
   * Returns the painter of this name; undefined if there is none.
   *
   * @param name such as "painter" or "painter-a"
   * @param options.errs whether it errs as often as that of `touchstone demo`
   */
  generator(name: string, options: { readonly errs: boolean }): Painter | undefined;
  readonly world: World;
  /** Length of the smallest thing in its pictures, as a share of their width. */
  readonly smallestThing: number;
  /** Paints what a metric's card asks about: as many triplets, statements and bindings each as `pictures`. */
  sample(options: Painting & { readonly pictures: number }): Promise<LabSample>;
  /** Paints what a judge's card asks about: pairs of which one is better, then pairs of equals. */
  pairs(options: Painting & { readonly captions: number }): Promise<KnownPair[]>;
  /** What `touchstone doctor` checks of the lab. */
  readonly checks: readonly Check[];
  readonly verbs: {
    readonly [Name in keyof LabVerbs]: () => Promise<{ readonly default: LabVerbs[Name] }>;
  };
}

interface LabVerbs {
  demo: Command;
  lab: CommandGroup;
}

interface Painter {
  readonly generator: ImageGenerator;
  /** Why it can't draw a sentence; undefined if it can. */
  readonly cannotDraw: (sentence: string) => string | undefined;
}

interface Painting {
  readonly seed: number;
  readonly onPainted?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** The package of the lab, which has this one's version. */
const labPackage: string = "touchstone-t2i-lab";

/** What brings the lab. A wheel of Python has its starter beside package.json. */
export const labHint = (isWheel = existsSync(toolFile("touchstone.mjs"))): string =>
  isWheel
    ? "Install it: pip install 'touchstone-t2i[lab]'. Without installing: uvx --from 'touchstone-t2i[lab]' " +
      "touchstone-t2i demo. Published results need none: touchstone evidence"
    : `Install it: npm install ${labPackage}@${version()}`;

/**
 * Loads the lab.
 *
 * @throws InputError that says how to install it, where it is not there or of another version.
 */
export async function loadLab(): Promise<Lab> {
  const hint = labHint();
  try {
    const { lab }: { readonly lab: Lab } = await import(`${labPackage}/tool`);
    if (lab.version === version()) return lab;
    throw new InputError(
      `Expected version ${version()} of ${labPackage} but found ${lab.version}`,
      { hint },
    );
  } catch (cause) {
    if (!isMissingPackage(cause, labPackage)) throw cause;
    throw new InputError(
      `Expected the package ${labPackage} but found none: it holds the lab, a built-in world of clip art, and its models`,
      { hint, cause },
    );
  }
}

/** Loads a verb that the lab brings. */
export const labVerb =
  <Name extends keyof LabVerbs>(name: Name) =>
  async (): Promise<{ readonly default: LabVerbs[Name] }> =>
    (await loadLab()).verbs[name]();
