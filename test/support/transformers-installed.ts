/** Whether the optional peer of the transformers-js adapter is there. */
export function transformersInstalled(): boolean {
  try {
    return import.meta.resolve("@huggingface/transformers") !== "";
  } catch {
    return false;
  }
}
