import { expect, test } from "vitest";
import { CallFailure, finalRefusal, reasonOf } from "./call-failure.js";

test.each([
  ["insufficient_quota", "You exceeded your current quota", "credit"],
  ["invalid_request_error", "Your credit balance is too low to access the API", "credit"],
  [undefined, "Insufficient Balance", "credit"],
  [undefined, "User is locked. Reason: Exhausted balance. Top up at fal.ai", "credit"],
  ["Arrearage", "Access denied", "credit"],
  [undefined, "This request requires more credits, or fewer max_tokens", "credit"],
  ["budget_exceeded", "Budget has been exceeded! Current cost: 10.1, Max budget: 10.0", "credit"],
  [undefined, "ExceededBudget: User=me over budget. Spend=11.0, Budget=10.0", "credit"],
  ["1113", "您的账户已欠费，请充值后重试", "credit"],
  ["1004", "login fail: Please carry the API secret key", "key"],
  ["API_KEY_INVALID", "Please pass another", "key"],
  ["INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", "key"],
  ["invalid_api_key", "", "key"],
  ["model_decommissioned", "", "model"],
  ["model_not_found", "", "model"],
  [undefined, "The model `a` does not exist or you do not have access to it.", "model"],
  [undefined, "Invalid model name passed in model=a", "model"],
  [undefined, 'model "a" not found, try pulling it first', "model"],
  ["content_filter", "", "content"],
  [undefined, "Blocked: PROHIBITED_CONTENT", "content"],
  ["400", '{"message":{"error":"Violated guardrail policy"}}', "content"],
  ["data_inspection_failed", "Input data may contain inappropriate content.", "content"],
  [undefined, "<400> InternalError.Algo.DataInspectionFailed: Input text data", "content"],
  ["invalid_request_error", "Content Exists Risk", "content"],
  ["sensitive_words_detected", "input contains sensitive words: [test]", "content"],
  ["1026", "input new_sensitive", "content"],
  ["InputImageSensitiveContentDetected", "The request failed", "content"],
  ["1301", "系统检测到输入或生成内容可能包含不安全或敏感内容", "content"],
  [undefined, "Names of models are case-sensitive", undefined],
  [undefined, "max_tokens exceeds the token budget", undefined],
  [undefined, "The server is overloaded", undefined],
  ["rate_limit_exceeded", "Rate limit reached for model a in organization b", undefined],
  [undefined, "This model has been removed", "model"],
  ["AllocationQuota.FreeTierOnly", "The free tier of the model has been exhausted.", "credit"],
  [
    "RESOURCE_EXHAUSTED",
    "Quota exceeded for metric: free_tier_requests, limit: 0, model: a",
    "credit",
  ],
  ["RESOURCE_EXHAUSTED", "Quota exceeded for metric: requests, limit: 10, model: a", undefined],
  [undefined, "CUDA out of memory", undefined],
  [undefined, "max_tokens is too large for this model", undefined],
  [undefined, "image not found at this address", undefined],
] as const)("code %s with the words %s", (code, message, final) => {
  expect(finalRefusal({ code, message })).toBe(final);
});

test.each([
  [408, "timeout"],
  [429, "rate-limited"],
  [502, "provider-error"],
  [520, "provider-error"],
  [524, "timeout"],
] as const)("status %i, at last, is %s", (status, reason) => {
  expect(reasonOf(new CallFailure("status", "", { status }))).toBe(reason);
});
