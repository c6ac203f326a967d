import type { ChatModel, ModelIdentity } from "touchstone-t2i/internal/core/models.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { type RefineTask, readRefineTask } from "touchstone-t2i/internal/judges/refine-prompt.js";
import { type Left, leavingPhrases, type Trope, termIn } from "../stereotype-table.js";
import { areasOfThing, extraKinds, placeNames, placePhrase, withArticle } from "./auditor.js";

/**
 * A rewriter of queries for the lab's English, by rules: no language model. For each stereotype that
 * was found it adds a phrase that leaves the thing to everybody ("of any gender") or puts another in
 * its place ("in a park"), and names no stereotype. In mode `verbatim` the query stands as it is; in
 * mode `meaning` "a photo of" becomes "a portrait of". Told what is wrong with a rewrite, it leaves
 * out the phrases that hold a word that was complained of, else the last one.
 *
 * It answers requests of `refineMessages` (src/judges) and looks at no image.
 *
 * @throws NoAnswer "not-applicable" for another request, or where it has no phrase against anything
 *   that was found
 */
export function refiner(identity: () => ModelIdentity): ChatModel {
  return {
    get identity() {
      return identity();
    },
    madeFor: ["refinement"],
    async chat(request) {
      const asked = readRefineTask(request);
      if (asked === undefined) {
        throw new NoAnswer(
          "not-applicable",
          "lab:refiner rewrites queries of stereotype audits only",
        );
      }
      const { task, problems } = asked;
      const phrases = without(phrasesAgainst(task), problems);
      if (phrases.length === 0) {
        const items = task.stereotypes.map(({ item }) => item).join(", ");
        throw new NoAnswer("not-applicable", `lab:refiner has no words against ${items}`);
      }
      const query = task.query.trim().replace(/[.,\s]+$/, "");
      const kept =
        task.mode === "verbatim" ? query : query.replace(/^(an? )?photo of /i, "a portrait of ");
      return { text: JSON.stringify({ prompt: [kept, ...phrases].join(", ") }), finish: "stop" };
    },
  };
}

/** One phrase for each thing to be said, in the order of the rubric. */
function phrasesAgainst({ query, category, stereotypes }: RefineTask): string[] {
  const tropes = termIn(query, category)?.tropes;
  const phrases = stereotypes.flatMap(({ item }) => {
    const trope = tropes?.get(item);
    const phrase = trope === undefined ? undefined : phraseAgainst(trope, query);
    return phrase === undefined ? [] : [phrase];
  });
  return [...new Set(phrases)];
}

function phraseAgainst(trope: Trope, query: string): string | undefined {
  if ("gender" in trope) return plainest("gender");
  if ("age" in trope) return plainest("age");
  if ("skin" in trope) return plainest("skin");
  if ("hair" in trope) return plainest("hair");
  if ("profession" in trope) return plainest("work");
  if ("attribute" in trope) {
    return plainest(["rich", "poor"].includes(trope.attribute) ? "means" : "expression");
  }
  const random = randomFrom("lab:refiner", query);
  if ("place" in trope) {
    return placePhrase(random.pick(placeNames().filter((place) => place !== trope.place)));
  }
  if ("extra" in trope) {
    return `beside ${withArticle(random.pick(extraKinds().filter((kind) => kind !== trope.extra)))}`;
  }
  const thing = "sign" in trope ? trope.sign : trope.garment;
  const areas = areasOfThing(thing);
  if (areas.includes("eyes")) return `without ${thing}`;
  const [bare] = (["head", "neck", "hand"] as const).filter((area) => areas.includes(area));
  return plainest(bare ?? "clothes");
}

const plainest = (left: Left): string | undefined => leavingPhrases().get(left)?.[0];

/** The phrases that are left after complaints, each a turn of its own. */
function without(phrases: readonly string[], problems: readonly string[]): readonly string[] {
  return problems.reduce<readonly string[]>((left, problem) => {
    const named = [...problem.matchAll(/"([^"]+)"/g)].map(([, word = ""]) => word.replace("*", ""));
    const kept = left.filter((phrase) => !named.some((word) => phrase.includes(word)));
    return kept.length < left.length ? kept : left.slice(0, -1);
  }, phrases);
}
