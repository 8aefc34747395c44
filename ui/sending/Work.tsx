import type { ReactNode } from 'react';
import { createContext, use, useCallback, useEffect, useRef, useState } from 'react';
import { Strip } from '../controls/Strip.tsx';

export type Work = {
  /** 'Storing 729 totals' */
  readonly label: string;
  /** 0 to 1; omitted if unknown */
  readonly done?: number;
};
type Running = Work & { readonly id: number };
type Run = <Result>(work: Work, act: () => Promise<Result>) => Promise<Result>;

const RunContext = createContext<Run | undefined>(undefined);
const RunningContext = createContext<readonly Running[]>([]);

/** Tracks running work, so that the frame can show it while the page stays usable. */
export const WorkProvider = ({ children }: { readonly children: ReactNode }) => {
  const [running, setRunning] = useState<readonly Running[]>([]);
  const last = useRef(0);
  const run = useCallback<Run>(async (work, act) => {
    const id = ++last.current;
    setRunning((all) => [...all, { ...work, id }]);
    try {
      return await act();
    } finally {
      setRunning((all) => all.filter((one) => one.id !== id));
    }
  }, []);
  /** Leaving the page would cancel requests that are not sent yet. */
  const working = running.length > 0;
  useEffect(() => {
    if (!working) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [working]);
  return (
    <RunContext value={run}>
      <RunningContext value={running}>{children}</RunningContext>
    </RunContext>
  );
};

/** Runs a piece of work, which is shown meanwhile. */
export const useWork = (): Run => {
  const run = use(RunContext);
  if (!run) throw new Error('There is no WorkProvider above this component.');
  return run;
};

/** One strip per piece of work that is not done at once. */
export const WorkStrips = () => use(RunningContext).map(({ id, ...work }) => <LateStrip key={id} {...work} />);

/** The page moves down for it, and up again: not for what takes no longer than to read it. */
const LateStrip = (work: Work) => {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), AT_ONCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate && <Strip {...work} />;
};

const AT_ONCE_MS = 400;
