import { readConsent } from '../site/consent.ts';

/** Remembers a preference: permanently with consent, otherwise until the tab closes. */
export const remember = (name: string, value: string): void => {
  const [kept, other] = readConsent() === 'accepted' ? [localStorage, sessionStorage] : [sessionStorage, localStorage];
  other.removeItem(name);
  kept.setItem(name, value);
};

export const remembered = (name: string): string | null => sessionStorage.getItem(name) ?? localStorage.getItem(name);
