export {
  type OpenAiEmbeddings,
  type OpenAiEmbeddingsOptions,
  openAiEmbeddings,
} from "./openai-embeddings.js";
