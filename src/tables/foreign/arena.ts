import { z } from "zod";
import { type ForeignTool, parsed, refuse, text } from "./foreign-table.js";

const battleSchema = z.preprocess(
  sidesNamed,
  z.looseObject({
    model_a: z.string(),
    model_b: z.string(),
    winner: z.string().nullish(),
    prompt: z.string().nullish(),
    question_id: text.nullish(),
    judge: text.nullish(),
    conversation_a: z.array(z.looseObject({ content: z.unknown() })).nullish(),
  }),
);

/** GenAI-Arena's names for the sides and the vote (left_model, right_model, vote_type) under LMArena's. */
function sidesNamed(battle: unknown): unknown {
  const found = z
    .looseObject({ left_model: z.unknown(), right_model: z.unknown(), vote_type: z.unknown() })
    .safeParse(battle);
  if (!found.success) return battle;
  const { left_model, right_model, vote_type, ...others } = found.data;
  return { model_a: left_model, model_b: right_model, winner: vote_type, ...others };
}

/** Finds the question, where the conversations are included: both begin with the same. */
function askedIn({ conversation_a: messages }: z.output<typeof battleSchema>): string | undefined {
  const content = messages?.[0]?.content;
  return typeof content === "string" && content !== "" ? content : undefined;
}

/** Who won, in the words of LMArena's tables and of those made after them. */
const words: Readonly<Record<string, string>> = {
  model_a: "a",
  model_b: "b",
  a: "a",
  b: "b",
  left: "a",
  right: "b",
  tie: "tie",
  "tie (bothbad)": "tie",
  bothbad: "tie",
  both_bad: "tie",
  leftvote: "a",
  rightvote: "b",
  tievote: "tie",
  bothbad_vote: "tie",
};

export const arena: ForeignTool = {
  name: "arena",
  summary: "a table of battles, as LMArena publishes it",
  description:
    "Reads a JSON list or JSON lines of battles, as LMArena publishes them: model_a, model_b, winner " +
    "(model_a, model_b, tie, tie (bothbad)) and, optionally, prompt, conversation_a or question_id, and " +
    "judge; or as GenAI-Arena does: left_model, right_model, vote_type. A row " +
    "for each battle: a was shown first; both bad counts as a tie and keeps its word in the column " +
    "winner. A battle without a winner has no preference.",
  example: "touchstone import arena battles.jsonl --out preferences.csv",
  wants: (name) => /\.jsonl?$/.test(name),
  next: () => ["analyze", "preferences", "FILE"],
  read(files) {
    const problems: string[] = [];
    const rows = files.flatMap((file) =>
      parsed(z.array(battleSchema), file, "a list of battles").map((battle, at) => {
        const { winner = null, prompt, question_id: question, judge } = battle;
        const preferred =
          winner === null || winner === "" ? null : words[winner.trim().toLowerCase()];
        if (preferred === undefined)
          problems.push(`battle ${at + 1}: winner ${JSON.stringify(winner)}`);
        return {
          a: battle.model_a,
          b: battle.model_b,
          preferred: preferred ?? null,
          prompt: prompt ?? askedIn(battle) ?? question ?? null,
          annotator: judge ?? null,
          winner,
        };
      }),
    );
    refuse(problems, `${Object.keys(words).join(", ")} for winner`);
    // A column that nobody filled says nothing.
    const isThere = (name: "prompt" | "annotator") => rows.some((row) => row[name] !== null);
    const empty = (["prompt", "annotator"] as const).filter((name) => !isThere(name));
    return {
      rows: rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).filter(([name]) => !empty.some((one) => one === name)),
        ),
      ),
      notes: [],
    };
  },
};
