import { expect, test } from "vitest";
import { namedModel } from "./chat-adapter.js";

// Names of vendors' documents and of their users' reports, some asked for and some in replies.
test.each([
  // https://github.com/BerriAI/litellm/issues/20990
  ["gpt-4.1", "gpt-4.1-2025-04-14", "snapshot"],
  ["gpt-5-mini", "gpt-5-mini-2025-08-07", "snapshot"],
  ["gpt-4o-mini", "gpt-4o-mini-2024-07-18", "snapshot"],
  ["gpt-3.5-turbo", "gpt-3.5-turbo-0301", "snapshot"],
  ["o1-preview", "o1-preview-2024-09-12", "snapshot"],
  ["gpt-4o", "gpt-4o-mini-2024-07-18", "other"],
  ["gpt-4o-2024-08-06", "gpt-4o-2024-05-13", "other"],
  ["gpt-4.1", "gpt-4o-2024-08-06", "other"],
  ["ft:gpt-4o-mini-2024-07-18:acme::abc123", "gpt-4o-mini-2024-07-18", "other"],
  // https://docs.openpipe.ai/features/chat-completions/anthropic
  ["anthropic:claude-3-5-sonnet", "claude-3-5-sonnet-20241022", "snapshot"],
  ["claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022", "snapshot"],
  ["anthropic/claude-opus-4.5", "claude-opus-4-5-20251101", "snapshot"],
  ["claude-haiku-4-5-20251001", "claude-sonnet-4-5", "other"],
  ["claude-opus-4", "claude-opus-4-1-20250805", "other"],
  // https://docs.rs/syncable-cli: Bedrock's, and Vertex's
  ["us.anthropic.claude-sonnet-4-20250514-v1:0", "claude-sonnet-4-20250514", "same"],
  ["anthropic.claude-3-5-sonnet-20241022-v2:0", "claude-3-5-sonnet-20240620", "other"],
  ["claude-sonnet-4", "claude-sonnet-4@20250514", "snapshot"],
  // https://ai.google.dev/gemini-api/docs/models/gemini-2.0-flash
  ["models/gemini-2.0-flash", "gemini-2.0-flash-001", "snapshot"],
  ["gemini-2.0-flash", "models/gemini-2.0-flash", "same"],
  ["gemini-2.0-flash", "gemini-2.0-flash-lite-001", "other"],
  ["gemini-2.0-flash-001", "gemini-2.0-flash-002", "other"],
  ["gemini-2.5-flash", "google/gemini-2.5-flash-preview-05-20", "snapshot"],
  // https://docs.mistral.ai/resources/release-note
  ["mistral-small-latest", "mistral-small-2402", "snapshot"],
  ["pixtral-12b", "pixtral-12b-2409", "snapshot"],
  ["mistral-small-2402", "mistral-large-2402", "other"],
  // https://www.promptfoo.dev/docs/providers/xai
  ["grok-4", "grok-4-0709", "snapshot"],
  ["grok-3", "grok-3-beta", "snapshot"],
  ["grok-3", "grok-3-fast-beta", "other"],
  ["command-r", "command-r-08-2024", "snapshot"],
  ["qwen-vl-max-latest", "qwen-vl-max-2025-01-25", "snapshot"],
  ["doubao-1-5-vision-pro", "doubao-1-5-vision-pro-250115", "snapshot"],
  // Routers and local servers
  ["openai/gpt-4o-mini", "gpt-4o-mini", "same"],
  ["openai/gpt-4o-mini", "openai/gpt-4o-mini-2024-07-18", "snapshot"],
  ["google/gemini-2.0-flash-exp:free", "google/gemini-2.0-flash-exp", "same"],
  ["openrouter/auto", "anthropic/claude-sonnet-4", "other"],
  ["llava", "llava:latest", "same"],
  ["llava:7b", "llava:13b", "other"],
  ["oai-qwen3:4b", "qwen3:4b", "other"],
  ["Qwen/Qwen2.5-VL-7B-Instruct", "qwen2.5-vl-7b-instruct", "same"],
  ["qwen2.5-vl-7b", "qwen2.5-vl-7b@q4_k_m", "snapshot"],
  ["Qwen2.5-VL-7B-Q4_K_M", "/models/Qwen2.5-VL-7B-Q4_K_M.gguf", "same"],
  ["Qwen2.5-VL-7B-Q4_K_M", "C:\\models\\Qwen2.5-VL-3B-Q4_K_M.gguf", "other"],
  ["TheBloke/Mistral-7B", "mistralai/Mistral-7B", "other"],
  ["tgi", "HuggingFaceH4/zephyr-7b-beta", "other"],
] as const)("asked for %s, answered by %s: %s", (asked, named, relation) => {
  expect(namedModel(asked, named)).toBe(relation);
  expect(namedModel(asked, asked)).toBe("same");
});
