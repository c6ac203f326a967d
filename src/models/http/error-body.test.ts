import { expect, test } from "vitest";
import { errorBody } from "./error-body.js";

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
  ['{"error": "model not found"}', { message: "model not found" }],
  ['{"detail": "Not Found"}', { message: "Not Found" }],
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
