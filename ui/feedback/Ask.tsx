import { useSyncExternalStore } from 'react';
import { Confirm } from '../controls/Confirm.tsx';
import { openQuestion } from './ask.ts';

/** Where `ask` asks: Escape keeps things as they are. */
export const AskDialog = () => {
  const question = useSyncExternalStore(openQuestion.subscribe, openQuestion.now, openQuestion.now);
  if (!question) return null;
  const { id, title, text, go, stay, removes = false, answer } = question;
  return (
    <Confirm key={id} title={title} go={go} stay={stay} removes={removes} onGo={() => answer(true)} onClose={() => answer(false)}>
      <p>{text}</p>
    </Confirm>
  );
};
