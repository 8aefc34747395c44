import type { Untold } from '#api/tasks/task-fields.contract';
import { untoldText } from '#api/tasks/task-fields.contract';
import { Notice } from '../../ui/feedback/Notice.tsx';

/** Who gets no mail of what was just told, and why: it stays where the notice of it goes away. */
export const UntoldNotice = ({ untold = [] }: { readonly untold: readonly Untold[] | undefined }) => {
  const text = untoldText(untold);
  return text === undefined ? null : <Notice tone="warn" isSaid title={text} />;
};
