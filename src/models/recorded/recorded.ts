import { InputError } from "../../core/errors.js";
import type {
  ChatModel,
  ImageGenerator,
  Model,
  VisualQuestionAnswering,
} from "../../core/models.js";
import type { RecordOf } from "../../core/records.js";
import { NoAnswer } from "../../core/unscored.js";

const notInRecording = (what: string) =>
  new NoAnswer("not-applicable", `${what} is not in the recording`);

/**
 * A model that says again what one said in a run: P(yes) by image and question, replies by image and
 * the question in the request. What had no answer has none again, for the same reason.
 *
 * @param directory the folder of the run
 * @param model which of the run's models, by `provider:model`, where it has several
 * @throws InputError where the run has no such model, or several and none is named; from its methods
 *   NoAnswer "not-applicable" for what is not in the recording.
 */
export async function recordedModel(
  directory: string,
  { model }: { readonly model?: string | undefined } = {},
): Promise<Model & Partial<VisualQuestionAnswering & ChatModel>> {
  const { askedKey, readRecordings } = await import("./recording.js");
  const recordings = await readRecordings(await openRun(directory));
  const recording = chosen(recordings, { model, directory, what: "answers about images" });
  const { templates, probabilities, replies, failures } = recording;
  const failed = (image: string, asked: string) =>
    failures.get(image)?.find(({ text }) => asked.includes(text))?.error;
  return {
    identity: { provider: "recorded", model: recording.model },
    templates,
    ...(probabilities.size === 0
      ? {}
      : {
          async probabilityOfYes(image, questions, options) {
            options?.signal?.throwIfAborted();
            return questions.map((question) => {
              const probability = probabilities.get(askedKey(image.hash, question));
              if (probability !== undefined) return probability;
              throw failed(image.hash, question) ?? notInRecording(`"${question}" of this image`);
            });
          },
        }),
    ...(replies.size === 0
      ? {}
      : {
          async chat({ messages }, options) {
            options?.signal?.throwIfAborted();
            const parts = messages.flatMap((message) => message.parts);
            const text = parts
              .flatMap((part) => (part.type === "text" ? [part.text] : []))
              .join("\n");
            const images = parts.flatMap((part) =>
              part.type === "image" ? [part.image.hash] : [],
            );
            for (const image of images) {
              const found = replies.get(image)?.find(({ question }) => text.includes(question));
              if (found !== undefined) return found.reply;
              const failure = failed(image, text);
              if (failure !== undefined) throw failure;
            }
            throw notInRecording("This request");
          },
        }),
  };
}

/**
 * A generator that gives again the images of a run, by prompt and seed, or by prompt and place.
 *
 * @throws as `recordedModel`.
 */
export async function recordedGenerator(
  directory: string,
  { model }: { readonly model?: string | undefined } = {},
): Promise<ImageGenerator> {
  const run = await openRun(directory);
  const byModel = new Map<string, Map<string, RecordOf<"image">>>();
  for await (const image of run.ofType("image")) {
    const { model: name, text, seed, prompt, role, sample } = image;
    const images = byModel.get(name) ?? new Map<string, RecordOf<"image">>();
    byModel.set(name, images);
    images.set(JSON.stringify([text, seed]), image);
    images.set(JSON.stringify([text, prompt, role, sample]), image);
  }
  const recordings = [...byModel].map(([name, images]) => ({ model: name, images }));
  const { images, ...named } = chosen(recordings, { model, directory, what: "images" });
  return {
    identity: { provider: "recorded", model: named.model },
    async generate({ prompt, seed, place }, options) {
      options?.signal?.throwIfAborted();
      const { prompt: key, role, sample } = place ?? {};
      const found =
        images.get(JSON.stringify([prompt, seed])) ??
        images.get(JSON.stringify([prompt, key, role, sample]));
      if (found === undefined) throw notInRecording(`An image of "${prompt}" with this seed`);
      if (found.status === "unscored") {
        throw new NoAnswer(found.reason, found.detail, { retryable: found.retryable });
      }
      const { revisedPrompt } = found;
      const bytes = await run.blobs.read(found.image);
      return { bytes, ...(revisedPrompt === undefined ? {} : { revisedPrompt }) };
    },
  };
}

/** Opens a run; what reads one is loaded when it is first needed. */
async function openRun(directory: string) {
  const { openStore } = await import("../../files/open-store.js");
  return openStore(directory);
}

/** Whether a model is called so, with or without its revision and address. */
const isNamed = (name: string, called: string): boolean =>
  name === called || name.startsWith(`${called}@`) || name.startsWith(`${called} at `);

function chosen<Candidate extends { readonly model: string }>(
  candidates: readonly Candidate[],
  {
    model,
    directory,
    what,
  }: { readonly model: string | undefined; readonly directory: string; readonly what: string },
): Candidate {
  const names = candidates.map((candidate) => candidate.model);
  const fitting =
    model === undefined ? candidates : candidates.filter(({ model: name }) => isNamed(name, model));
  const [first] = fitting;
  if (first !== undefined && fitting.length === 1) return first;
  if (candidates.length === 0) {
    throw new InputError(`Expected a run with ${what} but ${directory} has none`);
  }
  const short = names.map((name) => name.replace(/@.*$/, ""));
  throw new InputError(
    model === undefined
      ? `Expected which model of ${directory} is meant: it holds ${names.join(", ")}`
      : `Expected a model of ${directory} (${names.join(", ")}) but received "${model}"`,
    { hint: `Such as recorded:${directory}@${short[0]}` },
  );
}
