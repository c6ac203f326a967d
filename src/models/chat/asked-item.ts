import { type ChatRequest, imagesOf } from "../../core/models.js";

/** What a request asks about: its images, or its words where it has none. */
export function askedItem(request: ChatRequest): string {
  const images = imagesOf(request).map(({ hash }) => hash);
  const parts = request.messages.flatMap((message) => message.parts);
  return images.length > 0
    ? images.join(" ")
    : parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
