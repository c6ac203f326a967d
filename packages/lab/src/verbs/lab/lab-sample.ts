import type {
  LabBinding,
  LabSample,
  LabStatement,
  LabTriplet,
} from "touchstone-t2i/internal/cli/verbs/card/card-asks.js";
import type { Picture } from "touchstone-t2i/internal/core/models.js";
import { type Random, randomFrom } from "touchstone-t2i/internal/core/random.js";
import { pictureOfPixels } from "touchstone-t2i/internal/images/pixels-picture.js";
import { z } from "zod";
import { styleInTurn } from "../../evaluate/held-out.js";
import { labYaml } from "../../package-file.js";
import { type Painting, paint } from "../../painter/paint.js";
import { hasDrawing } from "../../painter/sprites.js";
import { describe } from "../../world/english.js";
import { sampleScene } from "../../world/sample.js";
import type { Description, Scene } from "../../world/scene.js";
import { falsify, knobChanges, tell } from "../../world/statements.js";
import { holds } from "../../world/truth.js";
import { hypernyms, subjects } from "../../world/vocabulary.js";

/** Things and animals: no model is asked about people here. */
const drawableSubjects = () => [...subjects.keys()].filter((kind) => hasDrawing(kind));

const everything = { hypernym: 1, place: 1, extra: 1, attribute: 1 };

/**
 * Paints pictures without defects along a seed path of their own, on which no model was trained.
 *
 * @param pictures how many triplets, how many statements, and how many bindings
 */
export async function paintLabSample({
  pictures,
  seed,
  onPainted,
  signal,
}: {
  readonly pictures: number;
  readonly seed: number;
  readonly onPainted?: (done: number) => void;
  readonly signal?: AbortSignal;
}): Promise<LabSample> {
  const sample = {
    triplets: [] as LabTriplet[],
    statements: [] as LabStatement[],
    bindings: [] as LabBinding[],
  };
  for (let index = 0; index < pictures; index++) {
    signal?.throwIfAborted();
    const at = (what: string) => (attempt: number) => ["card", seed, what, index, attempt];
    const style = styleInTurn(index);
    sample.triplets.push(await first(at("triplet"), (path) => triplet(index, style, path)));
    sample.statements.push(await first(at("statement"), (path) => statement(style, path)));
    sample.bindings.push(await first(at("binding"), (path) => binding(style, path)));
    onPainted?.(index + 1);
  }
  return sample;
}

type Path = readonly (string | number)[];

/** The first draw of which a picture comes. */
async function first<Drawn>(
  pathOf: (attempt: number) => Path,
  draw: (path: Path) => Promise<Drawn | undefined>,
): Promise<Drawn> {
  for (let attempt = 0; ; attempt++) {
    const drawn = await draw(pathOf(attempt));
    if (drawn !== undefined) return drawn;
  }
}

async function triplet(index: number, style: string, path: Path): Promise<LabTriplet | undefined> {
  const random = randomFrom(...path);
  const domain = [...hypernyms.keys()][index % hypernyms.size] ?? "";
  const members = drawableSubjects().filter((kind) => subjects.get(kind)?.hypernym === domain);
  const isTypical = (kind: string) => subjects.get(kind)?.prototypical === true;
  const scene = sampleScene(random, members.filter(isTypical));
  const subject = random.pick(members.filter((kind) => !isTypical(kind)));
  const said = tell(scene, everything, random);
  const wrong = alteredScene(scene, said, random);
  if (wrong === undefined) return undefined;
  const scenes = [
    { scene, isRight: true },
    { scene: wrong.scene, isRight: false },
    { scene: { ...scene, subject }, isRight: true },
    { scene: { ...wrong.scene, subject }, isRight: false },
  ];
  const painted: Picture[] = [];
  for (const { scene, isRight } of scenes) {
    const painting = await paint(scene, style, path.join("/"));
    if (painting === undefined || holds(said, painting.scene) !== isRight) return undefined;
    painted.push(pictureOf(painting));
  }
  const [typicalRight, typicalWrong, right, atypicalWrong] = painted;
  if (!typicalRight || !typicalWrong || !right || !atypicalWrong) return undefined;
  return {
    domain,
    knob: wrong.knob,
    text: describe(said),
    typical: { right: typicalRight, wrong: typicalWrong },
    atypical: { right, wrong: atypicalWrong },
  };
}

/** The scene with one thing other than it was said to be. */
function alteredScene(scene: Scene, said: Description, random: Random) {
  const about = random.pick(said.extras.length === 0 ? [undefined] : said.extras);
  const changes = about === undefined ? [] : knobChanges(about, random);
  if (about === undefined || changes.length === 0) return undefined;
  const change = random.pick(changes);
  const extras = scene.extras.map((extra) =>
    extra.kind === about.kind ? { ...extra, ...change } : extra,
  );
  return { scene: { ...scene, extras }, knob: Object.keys(change)[0] ?? "" };
}

async function statement(style: string, path: Path): Promise<LabStatement | undefined> {
  const random = randomFrom(...path);
  const painting = await paint(sampleScene(random, drawableSubjects()), style, path.join("/"));
  if (painting === undefined) return undefined;
  const telling = { hypernym: 0.3, place: 0.6, extra: 0.8, attribute: 0.6 };
  const said = tell(painting.scene, telling, random);
  const wrong = falsify(said, painting.scene, random);
  if (wrong === undefined || !holds(said, painting.scene)) return undefined;
  return { picture: pictureOf(painting), true: describe(said), false: describe(wrong) };
}

async function binding(style: string, path: Path): Promise<LabBinding | undefined> {
  const random = randomFrom(...path);
  const scene = sampleScene(random, drawableSubjects());
  const said = tell(scene, { ...everything, hypernym: 0 }, random);
  const [one, other] = said.extras;
  if (one?.colour === undefined || other?.colour === undefined || one.colour === other.colour) {
    return undefined;
  }
  const painting = await paint(scene, style, path.join("/"));
  const swapped = {
    ...said,
    extras: [
      { ...one, colour: other.colour },
      { ...other, colour: one.colour },
    ],
  };
  if (painting === undefined || !holds(said, painting.scene) || holds(swapped, painting.scene)) {
    return undefined;
  }
  return {
    picture: pictureOf(painting),
    text: describe(said),
    swapped: describe(swapped),
    paraphrases: paraphrasesOf(said),
  };
}

const pictureOf = ({ canvas: { width, height, data } }: Painting): Picture =>
  pictureOfPixels({ width, height, data });

const schema = z.strictObject({
  lab: z
    .array(
      z.strictObject({
        name: z.string(),
        order: z.enum(["as-said", "turned-round"]),
        form: z.string().regex(/\{(sentence|words)\}/),
      }),
    )
    .min(2),
});

/** A sentence in other words, with what data/paraphrases.yaml calls the way. */
interface Paraphrase {
  readonly name: string;
  readonly text: string;
}

/** All the ways to say in the lab's English what a description says; the first is the usual one. */
export function paraphrasesOf(description: Description): Paraphrase[] {
  return schema.parse(labYaml("paraphrases.yaml")).lab.map(({ name, order, form }) => {
    const extras = order === "as-said" ? description.extras : description.extras.toReversed();
    const sentence = describe({ ...description, extras });
    const words = `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, "");
    return { name, text: form.replace("{sentence}", sentence).replace("{words}", words) };
  });
}
