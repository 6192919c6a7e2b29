// The smallest world a bare engine needs here: tools as promises, over one function that takes texts. Its value is `install`.
(post) => {
  const waiting = new Map();
  let last = 0;
  const call = (tool, input) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      post("call", JSON.stringify(input === undefined ? null : input), id, tool);
    });
  globalThis.tools = new Proxy(
    {},
    { get: (_tools, tool) => (typeof tool === "string" ? (input) => call(tool, input) : undefined) },
  );
  const fail = (error) => post("failed", JSON.stringify(String(error?.message ?? error)));
  return {
    start: (program) => {
      program().then((value) => post("done", JSON.stringify(value === undefined ? null : value)), fail);
    },
    answer: (id, isAnswer, text) => {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (isAnswer) resolve(JSON.parse(text));
      else reject(new Error(JSON.parse(text)));
    },
  };
};
