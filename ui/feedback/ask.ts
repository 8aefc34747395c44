import { observed } from '../observed.ts';

/** A question that stands in the way until it is answered. */
export type Question = {
  readonly title: string;
  readonly text: string;
  /** What the button does. */
  readonly go: string;
  readonly stay: string;
  /** Something is lost or removed by it. */
  readonly removes?: boolean;
};
export type OpenQuestion = Question & { readonly id: number; readonly answer: (isAgreed: boolean) => void };

/** The question that waits for its answer. */
export const openQuestion = observed<OpenQuestion | undefined>(undefined);
let last = 0;

/** Asks in a dialog above whatever is open. One question at a time: a newer one answers the older with no. */
export const ask = (question: Question): Promise<boolean> =>
  new Promise((answer) => {
    openQuestion.now()?.answer(false);
    const mine: OpenQuestion = {
      ...question,
      id: ++last,
      answer: (isAgreed) => {
        if (openQuestion.now() === mine) openQuestion.set(undefined);
        answer(isAgreed);
      },
    };
    openQuestion.set(mine);
  });
