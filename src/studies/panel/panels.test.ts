import { expect, test } from "vitest";
import { type PanelSettings, panelIn } from "../config/study-config.js";
import { studyConfigSchema } from "../config/study-schema.js";
import { codeIn, panelCodes, panelOf, panelPay } from "./panels.js";
import { externalQuestion, prolificStudy } from "./prolific-client.js";
import { settlement } from "./settled.js";

const settingsOf = (panel: unknown, more: object = {}) =>
  studyConfigSchema.parse({
    title: "A study",
    consent: "Yes.",
    blocks: [{ protocol: "rating", from: "items.csv" }],
    panel,
    ...more,
  });
const panelFrom = (panel: unknown): PanelSettings => {
  const found = panelIn(settingsOf(panel));
  if (found === undefined) throw new Error("Expected a panel");
  return found;
};

test("Prolific's ends are addresses with a code of their own each; what the file names is kept", () => {
  const settings = settingsOf("prolific", { codes: { finished: "DONE" } });
  const codes = panelCodes({ ...settings, panel: panelFrom("prolific") });
  expect(codes.finished).toBe("https://app.prolific.com/submissions/complete?cc=DONE");
  expect(codeIn(codes.finished)).toBe("DONE");
  expect(new Set(Object.values(codes)).size).toBe(6);
  const elsewhere = panelCodes({
    ...settings,
    panel: { ...panelFrom("mturk"), complete: "https://x.org/end" },
  });
  expect(elsewhere.finished).toBe("https://x.org/end");
  expect(elsewhere.full).toMatch(/^[0-9A-F]{8}$/);
});

test("a generic panel is described by its study's file", () => {
  const panel = panelFrom({
    platform: "generic",
    name: "ours",
    id: "who",
    parameters: { session: "visit" },
  });
  expect(panelOf(panel)).toEqual({ source: "ours", id: "who", session: "visit", least: {} });
});

test("the body of a study has its reward in pence, a code for each end and what Prolific replaces", () => {
  const panel = {
    ...panelFrom({ platform: "prolific", minutes: 12, places: 40, screenedOutPay: 0.1 }),
    url: "https://s.org/",
  };
  const settings = settingsOf("prolific", { payPerHour: 12 });
  const codes = panelCodes({ ...settings, panel });
  const body = prolificStudy({ ...settings, codes }, panel);
  expect(body).toMatchObject({
    name: "A study",
    external_study_url:
      "https://s.org/?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}",
    prolific_id_option: "url_parameters",
    estimated_completion_time: 12,
    reward: 240,
    total_available_places: 40,
    device_compatibility: ["desktop"],
  });
  const found = body.completion_codes as { code: string; code_type: string; actions: object[] }[];
  expect(found.map(({ code_type: type }) => type)).toEqual([
    "COMPLETED",
    "NO_CONSENT",
    "FIXED_SCREENOUT",
    "OTHER",
    "OTHER",
    "FAILED_ATTENTION_CHECK",
  ]);
  expect(found[2]?.actions).toEqual([
    { action: "FIXED_SCREEN_OUT_PAYMENT", fixed_screen_out_reward: 10, slots: 40 },
  ]);
  expect(new Set(found.map(({ code }) => code)).size).toBe(6);
});

test("pay is what the file says, else the panel's least", () => {
  expect(panelPay(panelFrom({ platform: "prolific", minutes: 30 }), undefined)).toEqual({
    reward: 3,
    least: 6,
    currency: "GBP",
  });
  const dollars = panelFrom({ platform: "prolific", minutes: 30, currency: "USD" });
  expect(panelPay(dollars, 12)).toMatchObject({ reward: 6, least: 8 });
  const euros = panelFrom({ platform: "prolific", minutes: 30, currency: "EUR" });
  expect(panelPay(euros, undefined).reward).toBeUndefined();
});

test("an external question holds its address as XML", () => {
  const xml = externalQuestion("https://s.org/?a=1&b=2");
  expect(xml).toContain("<ExternalURL>https://s.org/?a=1&amp;b=2</ExternalURL>");
  expect(xml).toContain("2006-07-14/ExternalQuestion.xsd");
});

test("who finished is approved or rejected by the rules, and slow work is made up for", () => {
  const row = (id: string, more: object) => ({
    source: "prolific",
    id,
    study: "s",
    session: `session-${id}`,
    finished: 1,
    minutes: 20,
    excluded_by: null,
    ...more,
  });
  const rows = [
    row("fast", { minutes: 10 }),
    row("slow", {}),
    row("careless", { excluded_by: "same-answer-above" }),
    row("gone", { finished: 0 }),
    row("other", { source: "participant" }),
  ];
  const pay = { source: "prolific", reward: 2, least: 9, currency: "GBP" };
  expect(settlement(rows, pay)).toEqual({
    approve: ["fast", "slow"].map((id) => ({ id, study: "s", session: `session-${id}` })),
    reject: [
      { id: "careless", study: "s", session: "session-careless", reason: "same-answer-above" },
    ],
    bonus: [{ id: "slow", study: "s", session: "session-slow", amount: 1 }],
  });
});
