import { readConsent } from '../site/consent.ts';

/** What a page keeps for its reader's convenience: with his consent for good, else until the tab is closed. */
export const remember = (name: string, value: string): void => {
  const [kept, other] = readConsent() === 'accepted' ? [localStorage, sessionStorage] : [sessionStorage, localStorage];
  other.removeItem(name);
  kept.setItem(name, value);
};

export const remembered = (name: string): string | null => sessionStorage.getItem(name) ?? localStorage.getItem(name);
