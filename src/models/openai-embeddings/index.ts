export { type OpenAiEmbeddingsOptions, openAiEmbeddings } from "./openai-embeddings.js";
