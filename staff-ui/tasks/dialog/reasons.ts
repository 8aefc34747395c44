import { useSyncExternalStore } from 'react';
import type { Reasons } from './steps.ts';

/** Reasons to go on without checks of the ranking, and of the grades. */
export type TaskReasons = Readonly<Record<'ranking' | 'grades', Reasons>>;

const NONE: TaskReasons = { ranking: {}, grades: {} };
/** By task. They are sent with the next step only; until then they are kept while the app is open, beyond the dialog. */
let kept: Readonly<Record<string, TaskReasons>> = {};
const followers = new Set<() => void>();

const follow = (follower: () => void) => {
  followers.add(follower);
  return () => followers.delete(follower);
};

/** The reasons that were typed about a task. */
export const useReasons = (taskId: string) => {
  const reasons = useSyncExternalStore(follow, () => kept[taskId] ?? NONE);
  const change = (kind: keyof TaskReasons, to: Reasons) => {
    kept = { ...kept, [taskId]: { ...(kept[taskId] ?? NONE), [kind]: to } };
    for (const follower of followers) follower();
  };
  return { reasons, change };
};

/** Whether any reason is typed and not sent. */
export const useHasReasons = (): boolean =>
  useSyncExternalStore(follow, () =>
    Object.values(kept).some(({ ranking, grades }) =>
      [...Object.values(ranking), ...Object.values(grades)].some((reason) => reason.trim() !== ''),
    ),
  );
