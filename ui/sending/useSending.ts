import { useRef, useState } from 'react';
import type { Sending } from './sending.ts';

type Act<Asked, Answer> = {
  readonly act: (asked: Asked) => Promise<Answer>;
  readonly onDone?: (answer: Answer, asked: Asked) => void;
  readonly onFailed?: (error: unknown, asked: Asked) => void;
};

type State<Asked, Answer> = Pick<Sending<Asked, Answer>, 'pending' | 'asked' | 'answer' | 'error'>;

/** The light core of sending, for pages before the log-in: nothing else to fetch again, no notices, errors in their place. Elsewhere: `useSend`. */
export const useSending = <Asked, Answer>({ act, onDone, onFailed }: Act<Asked, Answer>): Sending<Asked, Answer> => {
  const [state, setState] = useState<State<Asked, Answer>>(IDLE);
  const last = useRef(0);
  const request = async (asked: Asked): Promise<Answer> => {
    const number = ++last.current;
    /** Only what was sent last is shown. */
    const show = (end: Partial<State<Asked, Answer>>) => {
      if (number === last.current) setState({ ...IDLE, asked, ...end });
    };
    show({ pending: true });
    try {
      const answer = await act(asked);
      onDone?.(answer, asked);
      show({ answer });
      return answer;
    } catch (error) {
      onFailed?.(error, asked);
      show({ error });
      throw error;
    }
  };
  return {
    ...state,
    request,
    send: (asked) =>
      request(asked).then(
        () => true,
        () => false,
      ),
    forget: () => setState(IDLE),
  };
};

const IDLE = { pending: false, asked: undefined, answer: undefined, error: undefined } as const;
