/** How far the marks that somebody types have been stored, for the line that says so. */
export type DraftStatus = {
  /** Typed, not stored, and nothing wrong with them. */
  readonly waiting: number;
  readonly isSaving: boolean;
  readonly isOffline: boolean;
  /** They outlast the page. */
  readonly isKept: boolean;
  /** When marks were stored last. */
  readonly savedAt: Date | undefined;
};

/** '3 marks wait on this device.', 'Saved 14:05'; empty: nothing was typed. */
export const draftStatus = ({ waiting, isSaving, isOffline, isKept, savedAt }: DraftStatus): string => {
  if (waiting > 0) {
    const marks = waiting === 1 ? '1 mark' : `${waiting.toLocaleString('en-GB')} marks`;
    const wait = waiting === 1 ? 'waits' : 'wait';
    if (!isKept) return `${marks} ${wait} in this page alone: this browser keeps nothing for later.`;
    if (isOffline) return `${marks} ${wait} on this device until the server can be reached.`;
    return isSaving ? `Storing ${marks}…` : `${marks} ${wait} on this device.`;
  }
  return savedAt ? `Saved ${clock.format(savedAt)}` : '';
};

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
