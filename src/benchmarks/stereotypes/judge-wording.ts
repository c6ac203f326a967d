import { z } from "zod";
import type { RubricWording } from "../../judges/rubric-message.js";
import { loadData } from "../load-data.js";

const sentence = z.string().trim().min(1);
const schema = z.strictObject({ system: sentence, answer: sentence, again: sentence });

/** Reads the words around a judge's rubric: data/stereotypes/judge.yaml. */
export const loadJudgeWording = (): RubricWording => loadData("stereotypes/judge.yaml", schema);
