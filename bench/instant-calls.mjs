/** A step of so many calls to a model that answers at once, with replies of so many characters in the trace. */
export const instantCalls = (count, { replyLength }) => {
  const reply = "x".repeat(replyLength);
  return {
    name: "ask",
    version: 1,
    produces: "score",
    parameters: {},
    async *plan() {
      for (let number = 0; number < count; number++) {
        yield {
          of: number.toString(16).padStart(32, "0"),
          image: number.toString(16).padStart(64, "0"),
          text: `A picture of ${number} penguins on a beach with exactly two buckets.`,
          metric: "vqa-score",
          metricVersion: 1,
          statistic: "P(yes)",
          model: "local:model",
          range: [0, 1],
          direction: "higher",
          trial: 0,
        };
      }
    },
    async perform({ text }, { trace }) {
      trace({ kind: "call", cached: false, reply });
      return { value: (text.length % 10) / 10, question: `Does the picture show ${text}?` };
    },
  };
};
