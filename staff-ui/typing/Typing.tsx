import type { MarksEnteredAnswer } from '#api/marks/marks.contract';
import type { ReactNode } from 'react';
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useApi, useMoved } from '../../ui/api/ApiProvider.tsx';
import { useWork } from '../../ui/feedback/Work.tsx';
import { counted } from '../format.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { isLeaving } from '../../ui/session/signed-out.ts';
import type { Form, Save } from './typed.ts';
import { formKey, Typed } from './typed.ts';

/** The result of a form's last save. */
export type Outcome = { readonly refused: MarksEnteredAnswer['refused']; readonly error?: unknown };

type Typing = {
  readonly typed: Typed;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly submit: (form: Form, save: Save) => void;
  readonly forgetOutcome: (key: string) => void;
};
const TypingContext = createContext<Typing | undefined>(undefined);

/** Sends typed totals independently of the open form: an unfinished save continues after the form is closed or the page reloaded. */
export const TypingProvider = ({ children }: { readonly children: ReactNode }) => {
  const { me } = useSession();
  const api = useApi();
  const moved = useMoved();
  const { run } = useWork();
  const [typed] = useState(() => new Typed(sessionStorage, me.accountId));
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const sending = useRef(new Set<string>());

  const send = useCallback(
    async (key: string, { key: act, ...save }: Save) => {
      if (sending.current.has(act)) return;
      sending.current.add(act);
      try {
        const { result } = await run({ label: `Storing ${counted(save.cells.length, 'total')}` }, () =>
          api.command('EnterMarks', save, { key: act }),
        );
        await moved([`marks:${save.subjectId}`]);
        typed.stored(key, { ...save, key: act }, result.refused);
        setOutcomes((all) => new Map(all).set(key, { refused: result.refused }));
      } catch (error) {
        typed.refused(key);
        setOutcomes((all) => new Map(all).set(key, { refused: [], error }));
      } finally {
        sending.current.delete(act);
      }
    },
    [api, moved, run, typed],
  );

  useEffect(() => {
    const timer = setTimeout(() => {
      for (const [key, { save }] of Object.entries(typed.all())) if (save) void send(key, save);
    });
    return () => clearTimeout(timer);
  }, [typed, send]);
  useAskBeforeLeaving(typed);

  const forgetOutcome = useCallback((key: string) => {
    setOutcomes((all) => {
      if (!all.has(key)) return all;
      const after = new Map(all);
      after.delete(key);
      return after;
    });
  }, []);
  const submit = useCallback(
    (form: Form, save: Save) => {
      forgetOutcome(formKey(form));
      typed.sending(form, save);
      void send(formKey(form), save);
    },
    [forgetOutcome, send, typed],
  );
  const value = useMemo(() => ({ typed, outcomes, submit, forgetOutcome }), [typed, outcomes, submit, forgetOutcome]);
  return <TypingContext value={value}>{children}</TypingContext>;
};

export const useTyping = (): Typing => {
  const typing = use(TypingContext);
  if (!typing) throw new Error('There is no TypingProvider above this component.');
  return typing;
};

/** All unsaved input, by class and test. */
export const useTyped = () => {
  const { typed } = useTyping();
  return useSyncExternalStore(typed.subscribe, typed.all);
};

/**
 * Session storage is lost with the tab. The listener is only attached while there is unsaved input, because it keeps the page out of the
 * back/forward cache.
 */
const useAskBeforeLeaving = (typed: Typed): void => {
  const any = Object.keys(useSyncExternalStore(typed.subscribe, typed.all)).length > 0;
  useEffect(() => {
    if (!any) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (!isLeaving()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [any]);
};
