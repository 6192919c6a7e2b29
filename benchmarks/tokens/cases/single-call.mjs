// One small call over five tools: direct calling is better here.

export const task = {
  name: "single-call",
  title: "One small call over five tools",
  worlds: ["clock"],
  question: "What time is it in Tokyo?",
  *direct() {
    const [time] = yield [["clock", "get_time", { zone: "Asia/Tokyo" }]];
    return `It is ${time} in Tokyo.`;
  },
  code: {
    needs: ["clock.getTime"],
    searches: [{ query: "the time in a city", limit: 1 }],
    programs: ['return await clock.getTime({ zone: "Asia/Tokyo" })'],
    toAnswer: (time) => `It is ${time} in Tokyo.`,
  },
};
