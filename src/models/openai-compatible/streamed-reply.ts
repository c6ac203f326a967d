/** Members of a chunk that are used; whatever else a server sends is no matter. */
interface Chunk {
  readonly choices?: readonly {
    readonly delta?: Readonly<Record<string, unknown>>;
    readonly message?: object;
    readonly finish_reason?: unknown;
    readonly logprobs?: { readonly content?: readonly unknown[] | null } | null;
  }[];
  readonly error?: unknown;
}

/**
 * One reply of the events of a stream (`chat.completion.chunk`), which some servers send though none was
 * asked for. A stream that breaks off leaves no reply: `undefined`.
 *
 * @param isWhole whether the stream said that it ends: some leave out why the answer does (LiteLLM)
 */
export function streamedReply(events: readonly unknown[], isWhole: boolean): unknown {
  const chunks = events.map((event): Chunk => Object(event));
  const failed = chunks.find(({ error }) => error);
  if (failed) return failed;
  const choices = chunks.flatMap((chunk) => (Array.isArray(chunk.choices) ? chunk.choices : []));
  const whole = choices.find(({ message }) => message);
  if (whole) return { ...Object.assign({}, ...chunks), choices: [whole] };
  const last =
    choices.findLast(({ finish_reason }) => finish_reason) ??
    (isWhole ? choices.at(-1) : undefined);
  if (last === undefined) return undefined;
  // The text, a refusal, and a thought under whatever name.
  const names = new Set(choices.flatMap(({ delta }) => Object.keys(delta ?? {})));
  const joined = [...names]
    .filter((name) => name !== "role")
    .flatMap((name) => {
      const texts = choices.flatMap(({ delta }) => textsIn(delta?.[name]));
      return texts.length === 0 ? [] : [[name, texts.join("")] as const];
    });
  const tokens = choices.flatMap(({ logprobs }) => logprobs?.content ?? []);
  return {
    ...Object.assign({}, ...chunks.map(defined)),
    choices: [
      {
        ...last,
        message: Object.fromEntries(joined),
        ...(tokens.length === 0 ? {} : { logprobs: { content: tokens } }),
      },
    ],
  };
}

const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : [value ?? []].flat().flatMap((part) => (Object(part).text as string | undefined) ?? []);

/** The usage of a stream stands in one chunk; in others it is null. */
const defined = (chunk: object) =>
  Object.fromEntries(Object.entries(chunk).filter(([, value]) => value !== null));
