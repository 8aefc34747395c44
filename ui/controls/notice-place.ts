import { observed } from '../observed.ts';

/**
 * Where notices stand. Everything behind a modal dialog is inert, for pointer, keyboard and screen reader alike: so they stand in the dialog
 * that was opened last, and on the page when none is open.
 */
export type NoticePlace = {
  /** undefined: the page itself */
  readonly element: HTMLElement | undefined;
};

/** Each move is a new object, even one back to where they were before. */
export const noticePlace = observed<NoticePlace>({ element: undefined });

/** In the order in which the dialogs around them were opened. */
let elements: readonly HTMLElement[] = [];

const hold = (next: readonly HTMLElement[]): void => {
  elements = next;
  const element = next.at(-1);
  if (element !== noticePlace.now().element) noticePlace.set({ element });
};

/** Ref of an empty element at the foot of a modal dialog: notices stand in it as long as it is there. */
export const placeForNotices = (element: HTMLElement | null): (() => void) | undefined => {
  if (!element) return undefined;
  hold([...elements, element]);
  return () => hold(elements.filter((one) => one !== element));
};

/** The modal dialog that was opened last; the page itself when none is open. */
export const dialogOnTop = (): HTMLElement => elements.at(-1)?.closest('dialog') ?? document.body;
