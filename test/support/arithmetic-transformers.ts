/**
 * Stands for @huggingface/transformers, which is not installed here: embeddings are sums of pixels
 * and of letters.
 */
export function arithmeticTransformers() {
  const loader = <Loaded>(loaded: Loaded) =>
    Object.assign(() => undefined, { from_pretrained: async () => loaded });
  return {
    AutoTokenizer: loader((texts: readonly string[]) => ({ texts })),
    AutoProcessor: loader(async (image: object) => image),
    CLIPTextModelWithProjection: loader(async ({ texts }: { texts: readonly string[] }) => ({
      text_embeds: { data: sums(new TextEncoder().encode(texts[0])) },
    })),
    CLIPVisionModelWithProjection: loader(async ({ data }: { data: Uint8Array }) => ({
      image_embeds: { data: sums(data) },
    })),
    RawImage: class {
      readonly data: Uint8Array;
      constructor(data: Uint8Array) {
        this.data = data;
      }
    },
  };
}

function sums(bytes: Uint8Array): Float32Array {
  const vector = new Float32Array(4);
  bytes.forEach((byte, index) => {
    vector[index % 4] = (vector[index % 4] ?? 0) + byte / 255;
  });
  return vector;
}
