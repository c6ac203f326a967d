export { cachedChat } from "./cached-chat.js";
export { ReplyStore } from "./reply-store.js";
