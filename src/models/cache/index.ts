export { cachedChat } from "./cached-chat.js";
export { cachedEmbedder } from "./cached-embedder.js";
export { ReplyStore } from "./reply-store.js";
