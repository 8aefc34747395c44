import { authMessages } from '#api/contract/auth-messages';
import { useCallback, useRef, useState } from 'react';

type State = 'idle' | 'working' | 'passed' | 'failed';

const sentences: Readonly<Record<State, string>> = {
  idle: 'A robot check runs by itself when you begin to type.',
  working: 'Robot check: one moment…',
  passed: 'Robot check passed.',
  failed: authMessages.robot,
};

/** Starts when the form is first touched, so that it is done before the form is filled in. A solution is valid once. */
export const useRobotCheck = () => {
  const [state, setState] = useState<State>('idle');
  const solving = useRef<Promise<string>>(undefined);
  const begin = useCallback((): Promise<string> => {
    solving.current ??= (async () => {
      setState('working');
      try {
        const { solveRobotCheck } = await import('./robot.ts');
        const solved = await solveRobotCheck();
        setState('passed');
        return solved;
      } catch (error) {
        solving.current = undefined;
        setState('failed');
        throw error;
      }
    })();
    return solving.current;
  }, []);
  const forget = useCallback(() => {
    solving.current = undefined;
    setState('idle');
  }, []);
  return { begin, forget, sentence: sentences[state] };
};
