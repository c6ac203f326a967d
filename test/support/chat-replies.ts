import {
  type ChatProviderName,
  chatProviderNames,
  chatProviders,
} from "../../src/models/chat-providers.js";

/** What a provider with a format of its own sends and is sent, by its documents. */
export interface ChatReplies {
  /** A reply with a thought before its text, of 25 tokens in and 30 out; the rest changes it. */
  says(text: string, rest?: Rest): object;
  /** Changes of a reply that was cut at the limit, or is refused with "Not that". */
  readonly cut: Rest;
  readonly refused: Rest;
  /** A change by which a reply names another model. */
  answeredBy(model: string): Rest;
  /** The limit of tokens in a request, and its turns. */
  // biome-ignore lint/suspicious/noExplicitAny: parsed JSON of a request
  limitOf(body: any): number;
  // biome-ignore lint/suspicious/noExplicitAny: parsed JSON of a request
  turnsOf(body: any): readonly unknown[];
}

type Rest = Readonly<Record<string, unknown>>;

/** Each such provider with its model's maker and its replies, from the file of its name in chat-replies. */
export const nativeChats = await Promise.all(
  chatProviderNames
    .filter((name) => name !== "openai-compatible")
    .map(async (name) => {
      const { make } = await chatProviders[name].load();
      const { default: replies }: { default: ChatReplies } = await import(
        `./chat-replies/${name}.ts`
      );
      return { name, make, replies };
    }),
);

export type NativeChat = (typeof nativeChats)[number];

export function nativeChatOf(name: ChatProviderName): NativeChat {
  const found = nativeChats.find((chat) => chat.name === name);
  if (found === undefined) throw new Error(`There is no ${name}`);
  return found;
}
