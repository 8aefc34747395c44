import type { NotNotified } from '#api/tasks/task-fields.contract';
import { notNotifiedText } from '#api/tasks/task-fields.contract';
import { Notice } from '../../ui/feedback/Notice.tsx';

/** The tone of a notice that says how many teachers are notified by mail. */
export const notifiedTone = ({ notified, notNotified }: { readonly notified: number; readonly notNotified: readonly NotNotified[] }) =>
  notified === 0 || notNotified.length > 0 ? ('warn' as const) : ('good' as const);

/** Who gets no mail, and why: it stays after the notice at the foot of the page has gone. */
export const NotNotifiedNotice = ({ notNotified = [] }: { readonly notNotified: readonly NotNotified[] | undefined }) => {
  const text = notNotifiedText(notNotified);
  return text === undefined ? null : <Notice tone="warn" isAnnounced title={text} />;
};
