export {
  type OpenAiClientOptions,
  type OpenAiCompatibleOptions,
  openAiClient,
  openAiCompatible,
} from "./openai-compatible.js";
