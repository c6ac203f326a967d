/** The hosted chat model that helps and hints name where nothing is known of the user's own. */
export const exampleChatModel = "openai-compatible:gpt-4o-mini";

/** The local encoder of images and texts that they name. */
export const exampleEncoder = "transformers-js:Xenova/clip-vit-base-patch16";

/** The example of a small model on this machine that answers questions about images. */
export const exampleAnswerer = "transformers-js:vlm:HuggingFaceTB/SmolVLM-256M-Instruct";
