import type { NotNotified } from '#api/tasks/task-fields.contract';
import { notNotifiedText } from '#api/tasks/task-fields.contract';
import { Notice } from '../../ui/feedback/Notice.tsx';

/** How a notice looks that some teachers, or none, are told by mail. */
export const notifiedTone = ({ notified, notNotified }: { readonly notified: number; readonly notNotified: readonly NotNotified[] }) =>
  notified === 0 || notNotified.length > 0 ? ('warn' as const) : ('good' as const);

/** Who gets no mail of what was just notified, and why: it stays where the notice of it goes away. */
export const NotNotifiedNotice = ({ notNotified = [] }: { readonly notNotified: readonly NotNotified[] | undefined }) => {
  const text = notNotifiedText(notNotified);
  return text === undefined ? null : <Notice tone="warn" isSaid title={text} />;
};
