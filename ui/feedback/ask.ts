/** A question that stands in the way until it is answered. */
export type Question = {
  readonly title: string;
  readonly text: string;
  /** What the red button does. */
  readonly go: string;
  readonly stay: string;
};
export type OpenQuestion = Question & { readonly id: number; readonly answer: (isAgreed: boolean) => void };

let open: OpenQuestion | undefined;
let last = 0;
const listeners = new Set<() => void>();
const show = (next: OpenQuestion | undefined): void => {
  open = next;
  for (const listener of listeners) listener();
};

/** Asks in a dialog above whatever is open. One question at a time: a newer one answers the older with no. */
export const ask = (question: Question): Promise<boolean> =>
  new Promise((answer) => {
    open?.answer(false);
    const mine: OpenQuestion = {
      ...question,
      id: ++last,
      answer: (isAgreed) => {
        if (open === mine) show(undefined);
        answer(isAgreed);
      },
    };
    show(mine);
  });

/** The question that waits for its answer. */
export const openQuestion = {
  now: (): OpenQuestion | undefined => open,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
