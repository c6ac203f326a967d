import { expect, test } from "vitest";
import { errorBody, mayHoldError } from "./error-body.js";

test.each([
  [
    '{"error": {"message": "Too fast", "type": "tokens", "code": "rate_limit_exceeded"}}',
    { message: "Too fast", code: "rate_limit_exceeded" },
  ],
  [
    '{"error": {"message": "Too fast", "type": "tokens", "code": null}}',
    { message: "Too fast", code: "tokens" },
  ],
  ['{"error": {"message": "Late", "code": 503}}', { message: "Late", status: 503 }],
  ['{"error": {"message": "Odd", "code": 7}}', { message: "Odd" }],
  [
    '[{"error": {"code": 400, "message": "No", "status": "INVALID", "details": [{"@type": "x"}, {"reason": "API_KEY"}]}}]',
    { message: "No", code: "API_KEY", status: 400 },
  ],
  ['[{"error": "a"}, {"error": "b"}]', { message: '[{"error":"a"},{"error":"b"}]' }],
  [
    '{"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": "{\\"error\\": {\\"message\\": \\"No\\", \\"type\\": \\"bad\\"}}"}}}',
    { message: "Provider returned error: No", code: "bad", status: 400 },
  ],
  [
    '{"error": {"message": "Provider returned error", "metadata": {"raw": "Slow down"}}}',
    { message: "Provider returned error: Slow down" },
  ],
  ['{"error": "model not found"}', { message: "model not found" }],
  ['{"detail": "Not Found"}', { message: "Not Found" }],
  ['{"message": "", "detail": "Insufficient quota"}', { message: "Insufficient quota" }],
  ['{"error": {"message": "", "param": "seed"}}', { message: '{"message":"","param":"seed"}' }],
  ['{"loc": [], "msg": "unknown"}', { message: "unknown" }],
  ['{"Message": "not authorized"}', { message: "not authorized" }],
  [
    '{"error": "HTTPException", "detail": "Sampler not found", "errors": ""}',
    { message: "HTTPException: Sampler not found" },
  ],
  [
    '{"detail": [{"loc": ["body", "steps"], "msg": "too many", "type": "value_error"}, {"loc": ["body", "seed"], "msg": "unknown"}]}',
    { message: "body.steps: too many: body.seed: unknown", code: "value_error" },
  ],
  [
    '{"object": "error", "message": {"detail": [{"loc": ["seed"], "msg": "unknown"}]}, "type": "invalid"}',
    { message: "seed: unknown", code: "invalid" },
  ],
  ['{"detail": {"error": {"message": "No", "code": "none"}}}', { message: "No", code: "none" }],
  ['{"error": {"odd": 1}}', { message: '{"odd":1}' }],
  ["<html><head><title> 502 Bad Gateway </title>", { message: 'a web page, "502 Bad Gateway"' }],
  ["<!doctype html>", { message: "a web page" }],
  [" plain\n text ", { message: "plain text" }],
  ["", { message: "nothing" }],
])("%s", (text, said) => {
  expect(errorBody(text)).toEqual(said);
});

test("a long message is cut", () => {
  expect(errorBody("a".repeat(1000)).message).toHaveLength(301);
});

test("an error that is nested without end, or says its message twice, is read as far as it goes", () => {
  const deep = `{"error": {"status": 418, "why": ${"[".repeat(1e5)}${"]".repeat(1e5)}}}`;
  expect(errorBody(deep)).toMatchObject({ status: 418 });
  expect(errorBody('{"error": {"message": "a", "message": "b"}}')).toEqual({ message: "{}" });
  expect(errorBody('{"error": "a", "error": "b"}')).toEqual({ message: "nothing" });
  expect(errorBody(`<html>${"<title".repeat(1e5)}`).message).toBe("a web page");
});

test.each([
  ['{"error":"No"}', true],
  ['{ "error" : { "message": "No" } }', true],
  ['{"error":"","text":"none"}', false],
  ['{"error":{},"text":"none"}', false],
  ['{"error": null}', false],
])("%s may hold an error: %s", (text, may) => expect(mayHoldError(text)).toBe(may));
