import { readConsent } from './consent.ts';

/** Remembers a preference: permanently with consent, otherwise until the tab closes. */
export const writePreference = (name: string, value: string): void => {
  const [kept, other] = readConsent() === 'accepted' ? [localStorage, sessionStorage] : [sessionStorage, localStorage];
  other.removeItem(name);
  kept.setItem(name, value);
};

export const readPreference = (name: string): string | null => sessionStorage.getItem(name) ?? localStorage.getItem(name);
