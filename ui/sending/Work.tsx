import type { ReactNode } from 'react';
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Strip } from '../controls/Strip.tsx';

export type Work = {
  /** 'Storing 729 totals' */
  readonly label: string;
  /** 0 to 1; omitted if unknown */
  readonly done?: number;
};
type Running = Work & { readonly id: number };
type Run = <Result>(work: Work, act: () => Promise<Result>) => Promise<Result>;

const WorkContext = createContext<{ readonly running: readonly Running[]; readonly run: Run } | undefined>(undefined);

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
  const value = useMemo(() => ({ running, run }), [running, run]);
  return <WorkContext value={value}>{children}</WorkContext>;
};

export const useWork = () => {
  const value = use(WorkContext);
  if (!value) throw new Error('There is no WorkProvider above this component.');
  return value;
};

/** One strip per running piece of work. */
export const WorkStrips = () => useWork().running.map(({ id, ...work }) => <Strip key={id} {...work} />);
