export { type OpenAiImagesOptions, openAiImages } from "./openai-images.js";
