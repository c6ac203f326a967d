/** Names in the address of the participants' page under which platforms hand over who comes, and their sources. */
export const platforms: Readonly<Record<string, string>> = {
  PROLIFIC_PID: "prolific",
  workerId: "mturk",
  worker_id: "toloka",
  participant: "participant",
};
