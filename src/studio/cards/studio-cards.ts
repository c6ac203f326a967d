import type { TrustCard } from "../../analysis/trust-card/trust-card.js";
import { benchmarkOf } from "../../benchmarks/benchmarks.js";
import { readCardFile } from "../../conclusions/card/card-file.js";
import { append } from "../../core/arrays.js";
import { TouchstoneError } from "../../core/errors.js";
import { evidenceOf, withEvidence, withSanity } from "../../evidence/card-notes.js";
import { openStore } from "../../files/open-store.js";
import { readTextFile } from "../../files/regular-file.js";
import { sanityOfRun } from "../../runs/run-sanity.js";
import type { FoundFiles } from "../found-files.js";
import { KeptForRun } from "../kept-for-run.js";
import { Refusal } from "../refusal.js";
import { pathOf, type StudioRuns } from "../runs.js";

/** The most runs and files whose cards are shown together. */
const mostSources = 8;

/** The trust cards of the folder that is shown: of its runs, and of files that `card --out` wrote. */
export class StudioCards {
  readonly #runs: StudioRuns;
  readonly #files: FoundFiles;
  readonly #kept = new KeptForRun<TrustCard[]>();

  constructor({ runs, files }: { readonly runs: StudioRuns; readonly files: FoundFiles }) {
    this.#runs = runs;
    this.#files = files;
  }

  /**
   * @param wanted ids of sources; an empty list means every card file, or the first run's cards
   * @param options.onlySources whether to leave out the cards, which take longer
   * @throws Refusal for an id that the folder does not have.
   */
  async shown(
    wanted: readonly string[],
    { onlySources = false }: { readonly onlySources?: boolean } = {},
  ): Promise<CardPage> {
    if (wanted.length > mostSources) {
      throw new Refusal(400, "sources", `Expected at most ${mostSources} sources of cards`);
    }
    const all = await this.#sources();
    const unknown = wanted.find((id) => !all.some((one) => one.id === id));
    if (unknown !== undefined) {
      throw new Refusal(404, "no-cards", "There are no such cards in the folder that is shown");
    }
    const ids = wanted.length > 0 ? wanted : byDefault(all);
    const cards: { from: string; card: TrustCard }[] = [];
    const problems: { name: string; message: string; hint?: string }[] = [];
    for (const { id, name } of onlySources ? [] : all.filter((one) => ids.includes(one.id))) {
      try {
        append(
          cards,
          (await this.#cardsOf(id)).map((card) => ({ from: name, card })),
        );
      } catch (error) {
        if (!(error instanceof TouchstoneError)) throw error;
        const { message, hint } = error;
        problems.push({ name, message, ...(hint === undefined ? {} : { hint }) });
      }
    }
    return {
      sources: all.map((source) => ({ ...source, isShown: ids.includes(source.id) })),
      cards,
      problems,
    };
  }

  async #sources(): Promise<Omit<CardSource, "isShown">[]> {
    const { files } = await this.#files.list();
    const sources = files.flatMap(({ id, name, kind }) =>
      kind === "cards" ? [{ id: `file:${id}`, name }] : [],
    );
    for (const { id, name, state } of await this.#runs.list()) {
      if (state === "broken") continue;
      const { place } = await this.#runs.find(id);
      const { recipe } = await openStore(place, { anyhow: true });
      if (benchmarkOf(recipe)?.cards !== undefined) sources.push({ id: `run:${id}`, name });
    }
    return sources;
  }

  async #cardsOf(source: string): Promise<TrustCard[]> {
    const id = source.slice(source.indexOf(":") + 1);
    if (source.startsWith("file:")) {
      const { path, name } = await this.#files.find("cards", id);
      return readCardFile(await readTextFile(path), name).cards;
    }
    const found = await this.#runs.find(id);
    const view = await this.#runs.upToDate(id);
    const { runTrustCards } = await import("../../benchmarks/run-cards.js");
    const { run } = view.index;
    return this.#kept.of(view, async () => {
      const cards = await runTrustCards(run, pathOf(found, this.#runs.shown));
      const sanity = await sanityOfRun(run);
      const checked = sanity === undefined ? cards : cards.map((card) => withSanity(card, sanity));
      const evidence = evidenceOf(cards);
      return checked.map((card) => withEvidence(card, evidence));
    });
  }
}

function byDefault(sources: readonly Pick<CardSource, "id">[]): readonly string[] {
  const files = sources.filter(({ id }) => id.startsWith("file:"));
  const chosen = files.length > 0 ? files.slice(0, mostSources) : sources.slice(0, 1);
  return chosen.map(({ id }) => id);
}

/** Trust cards side by side, and the sources that more can come from. */
export interface CardPage {
  readonly sources: readonly CardSource[];
  readonly cards: readonly { readonly from: string; readonly card: TrustCard }[];
  /** Why a source that was asked for gives none, and what mends it. */
  readonly problems: readonly {
    readonly name: string;
    readonly message: string;
    readonly hint?: string;
  }[];
}

/** A run with metrics, or a file that `card --out` wrote. */
interface CardSource {
  /** `run:` or `file:`, and the id of that. */
  readonly id: string;
  readonly name: string;
  readonly isShown: boolean;
}
