import { once } from "../../core/cache.js";
import { InputError } from "../../core/errors.js";
import { placedName } from "../../core/models.js";
import { type About, promptSplits } from "../../core/records.js";
import type { Step } from "../../core/step.js";
import { NoAnswer } from "../../core/unscored.js";
import {
  type BenchmarkSize,
  type CanDraw,
  type PlannedPrompt,
  planPrompts,
  whyUndrawable,
} from "./plan-prompts.js";
import { brokenRules, tripletRules } from "./rules.js";
import { droppedFor } from "./run-filter.js";
import { requestAbout, type Split, type SplitShares } from "./scenes.js";
import { type Domain, domainsOf, loadTaxonomy, pairsOf, type Taxonomy } from "./taxonomy.js";
import { loadTemplates, type Templates, templateWriter } from "./templates.js";
import type { RefusedTriplet, TripletRequest, TripletWriter } from "./triplet.js";

/**
 * Raised where another choice of prompts is made, or other splits, from the same settings: those of
 * one plan are not to be mixed with another's. What a prompt says is the step's version's concern.
 */
const planVersion = 2;

/** The share of texts in each split, where nobody says otherwise. */
const defaultShares: SplitShares = { train: 0.6, evaluation: 0.3, human: 0.1 };

export interface BuildPromptsOptions {
  readonly seed: number;
  /** `{ total }` is even over the domains; the paper's own is `{ byDomain: loadPublished().size.prompts }`. */
  readonly size: BenchmarkSize;
  readonly writer?: TripletWriter;
  readonly domains?: readonly Domain[];
  /** The splits to build; a text belongs to the same split whichever are built. */
  readonly splits?: readonly Split[];
  readonly shares?: SplitShares;
  /** Decides which split a text belongs to; `seed` where not given. Benchmarks of one `splitSeed` share no sentence across splits, whatever their `seed`. */
  readonly splitSeed?: number | undefined;
  /** Prompts that a generator can't draw become unscored, `not-applicable`, with its reason. */
  readonly canDraw?: CanDraw;
  /** Plan for what can be drawn, and one prompt for each pair or knob left out. Needs `canDraw`. */
  readonly drawableOnly?: boolean;
  /** How often a writer is asked for a triplet before it is dropped. */
  readonly attempts?: number;
  readonly taxonomy?: Taxonomy;
  readonly templates?: Templates;
  /** Where taxonomy or templates are not the project's: what tells them from others. */
  readonly revision?: string;
}

/**
 * The step that writes the benchmark's prompts (ProtoBias, section 4): plans pair x knob x extra x
 * value x environment, asks the writer, checks every rule, asks again where one is broken, and
 * gives up as `unparsable` with the names of the rules.
 *
 * @throws InputError where `shares` do not sum to 1 or `drawableOnly` lacks `canDraw`; on planning,
 *   where fewer prompts exist than `size` asks for.
 */
export function buildPrompts({
  seed,
  size,
  taxonomy = loadTaxonomy(),
  templates = loadTemplates(),
  writer = templateWriter(templates),
  revision,
  domains = domainsOf(taxonomy),
  splits = promptSplits,
  shares = defaultShares,
  splitSeed,
  canDraw: generatorCanDraw,
  drawableOnly = false,
  attempts = 3,
}: BuildPromptsOptions): Step<"prompt"> {
  const sum = shares.train + shares.evaluation + shares.human;
  if (Math.abs(sum - 1) > 1e-9) {
    throw new InputError(`Expected shares of the splits that sum to 1 but received ${sum}`);
  }
  const canDraw = generatorCanDraw && rememberedBySentence(generatorCanDraw);
  if (drawableOnly && canDraw === undefined) {
    throw new InputError("Expected canDraw where drawableOnly is set but received none");
  }
  const rules = tripletRules({ taxonomy, templates });
  const requests = new RequestFinder(taxonomy, templates);
  const drawable = drawableOnly && canDraw !== undefined ? { drawable: canDraw } : {};
  const planned = once(() => {
    const plan = {
      seed,
      splitSeed,
      size,
      domains,
      splits,
      shares,
      taxonomy,
      templates,
      ...drawable,
    };
    return planPrompts(plan).map((prompt) => aboutOf(prompt, writer.name));
  });

  return {
    name: "build-prompts",
    version: 1,
    produces: "prompt",
    parameters: {
      seed,
      planVersion,
      size: { ...size },
      writer: writer.name,
      ...(writer.instructions === undefined ? {} : { instructions: writer.instructions }),
      domains,
      splits,
      shares: { ...shares },
      ...(splitSeed === undefined ? {} : { splitSeed }),
      drawableOnly,
      attempts,
      ...(revision === undefined ? {} : { taxonomy: revision }),
    },
    ...(writer.model === undefined ? {} : { asks: [placedName(writer.model.identity)] }),
    async *plan() {
      yield* planned();
    },
    async perform(about, context) {
      const request = requests.of(about);
      const refused: RefusedTriplet[] = [];
      for (let attempt = 1; attempt <= attempts; attempt++) {
        const { signal, trace } = context;
        const triplet = await writer.write(request, attempt, { signal, trace, refused });
        const broken = brokenRules(rules, triplet, request);
        const [first] = broken;
        if (first === undefined) {
          const undrawable = canDraw && whyUndrawable(triplet, canDraw);
          if (undrawable !== undefined) throw new NoAnswer("not-applicable", undrawable);
          return triplet;
        }
        const names = broken.map(({ rule }) => rule);
        context.trace({ kind: "rules-broken", attempt, rules: names, triplet: { ...triplet } });
        refused.push({ triplet, broken });
      }
      throw new NoAnswer("unparsable", droppedFor(refused.at(-1)?.broken ?? []));
    },
  };
}

/** Asks once about each sentence, as many prompts share theirs. */
function rememberedBySentence(canDraw: CanDraw): CanDraw {
  const known = new Map<string, string | undefined>();
  return (sentence) => {
    if (!known.has(sentence)) known.set(sentence, canDraw(sentence));
    return known.get(sentence);
  };
}

function aboutOf({ split, request }: PlannedPrompt, writer: string): About<"prompt"> {
  const { domain, category, nonPrototype, prototype, attribute, ...rest } = request;
  const { knob, right, wrong, extra, environment } = rest;
  const plural = [nonPrototype, prototype].flatMap((one) =>
    one.plural === true ? [one.name] : [],
  );
  return {
    benchmark: "prototypicality",
    split,
    domain,
    category,
    nonPrototype: nonPrototype.name,
    prototype: prototype.name,
    knob,
    right,
    wrong,
    extra,
    environment,
    ...(attribute === undefined ? {} : { attribute: attribute.word }),
    ...(plural.length === 0 ? {} : { plural }),
    writer,
  };
}

/** Finds the request again from what a record keeps of it. */
class RequestFinder {
  private readonly templates: Templates;
  private readonly pairs: ReadonlyMap<string, ReturnType<typeof pairsOf>[number]>;

  constructor(taxonomy: Taxonomy, templates: Templates) {
    this.templates = templates;
    const pairs = domainsOf(taxonomy).flatMap((domain) => pairsOf(taxonomy, domain));
    this.pairs = new Map(
      pairs.map((pair) => [
        nameOf({
          domain: pair.domain,
          category: pair.category,
          nonPrototype: pair.nonPrototype.name,
          prototype: pair.prototype.name,
          attribute: pair.attribute?.word,
        }),
        pair,
      ]),
    );
  }

  of(about: About<"prompt">): TripletRequest {
    const pair = this.pairs.get(nameOf(about));
    const knob = pair?.knobs.find((one) => one === about.knob);
    if (pair === undefined || knob === undefined) {
      throw new InputError(
        `Expected a pair and error type of the taxonomy but received ${nameOf(about)}, ${about.knob}`,
        { hint: "The prompts were planned with another taxonomy: build them anew." },
      );
    }
    const { right, wrong, extra, environment } = about;
    return requestAbout(pair, { knob, right, wrong, extra, environment }, this.templates);
  }
}

const nameOf = (
  about: Pick<About<"prompt">, "domain" | "category" | "nonPrototype" | "prototype" | "attribute">,
): string =>
  [about.domain, about.category, about.nonPrototype, about.prototype, about.attribute ?? ""].join(
    " / ",
  );
