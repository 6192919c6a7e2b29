// Keeps the end of a text that never ends, such as what a server writes to stderr.
export interface TextTail {
  readonly add: (text: string) => void;
  readonly read: () => string;
}

export const createTextTail = (maxLength: number): TextTail => {
  let kept = "";
  return {
    add: (text) => {
      kept = (kept + text).slice(-maxLength);
    },
    read: () => kept,
  };
};
