// Programs in Python.
import { openHost } from "../open-host.mjs";

export const openTarget = async () => {
  const { coordinator } = await openHost();
  return { take: (code) => coordinator.checkCode({ code, language: "python" }) };
};
