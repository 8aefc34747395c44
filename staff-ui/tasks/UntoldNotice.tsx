import type { Untold } from '#api/tasks/task-fields.contract';
import { untoldText } from '#api/tasks/task-fields.contract';
import { Notice } from '../../ui/feedback/Notice.tsx';

/** How a notice looks that some teachers, or none, are told by mail. */
export const toldTone = ({ told, untold }: { readonly told: number; readonly untold: readonly Untold[] }) =>
  told === 0 || untold.length > 0 ? ('warn' as const) : ('good' as const);

/** Who gets no mail of what was just told, and why: it stays where the notice of it goes away. */
export const UntoldNotice = ({ untold = [] }: { readonly untold: readonly Untold[] | undefined }) => {
  const text = untoldText(untold);
  return text === undefined ? null : <Notice tone="warn" isAnnounced title={text} />;
};
