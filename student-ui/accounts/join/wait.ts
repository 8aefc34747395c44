import type { JoinChoices, JoinWait } from '#api/contract/auth';
import { isCertain } from '../../../ui/api/failure.ts';

export type Asking = {
  readonly ask: () => Promise<JoinChoices>;
  /** There is no place yet. */
  readonly waits: (wait: JoinWait) => void;
  readonly signal: AbortSignal;
  readonly pause?: (ms: number) => Promise<void>;
};

/** The server keeps each question for some seconds; where it does not, because very many wait, the page does. */
const AGAIN_MS = 1_000;
const KEPT_MS = 3_000;

/** The names for a date of birth, as soon as there is a place. Whoever waits goes on waiting through a connection that breaks. */
export const namesOnceFree = async ({ ask, waits, signal, pause = sleep }: Asking): Promise<JoinChoices> => {
  let isWaiting = false;
  for (;;) {
    const since = performance.now();
    try {
      const answer = await ask();
      signal.throwIfAborted();
      if (!answer.wait) return answer;
      isWaiting = true;
      waits(answer.wait);
    } catch (error) {
      if (!isWaiting || isCertain(error) || signal.aborted) throw error;
    }
    await pause(performance.now() - since < KEPT_MS ? 4 * AGAIN_MS : AGAIN_MS);
    signal.throwIfAborted();
  }
};

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Whose turn it is, how long it takes, and what helps. */
export const waitText = ({ seconds, ahead, joining }: JoinWait): { readonly title: string; readonly lines: readonly string[] } => {
  const minutes = Math.ceil(seconds / 60);
  const latest = minutes === 1 ? 'within a minute' : `after ${minutes} minutes at the latest`;
  return {
    title: ahead === 0 ? 'Please wait: you are next.' : `Please wait: ${ahead === 1 ? 'one is' : `${ahead} are`} before you.`,
    lines: [
      joining === 0
        ? `Too many dates of birth were tried here without anybody joining. You go on ${latest}.`
        : `${joining === 1 ? 'Somebody is' : `${joining} others are`} joining here just now. You go on as soon as there is a place: usually in a minute or two, and ${latest}.`,
      'Keep this page open. There is nothing to type again.',
      'To make it quicker, ask a teacher to log in to Marktrail here, and to choose “Let them go on” on the page of the class.',
    ],
  };
};
