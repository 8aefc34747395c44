import { SUBJECT_COOKIE } from '#api/contract/openings';

/** The cookie choice, itself kept in a cookie for 30 days. */
export type Consent = 'accepted' | 'declined';

const NAME = 'marktrail_consent';
const DAYS = 30;

export const readConsent = (): Consent | undefined => {
  const value = document.cookie
    .split('; ')
    .find((one) => one.startsWith(`${NAME}=`))
    ?.slice(NAME.length + 1);
  return value === 'accepted' || value === 'declined' ? value : undefined;
};

/** Marks that a page of before this version left in localStorage as it closed: goes with ui/drafts/earlier.ts. */
export const NECESSARY = 'marktrail-journal-';

/** Declining also removes what an earlier consent allowed to be remembered. */
export const writeConsent = (consent: Consent): void => {
  if (consent === 'declined') for (const name of Object.keys(localStorage)) if (!name.startsWith(NECESSARY)) localStorage.removeItem(name);
  if (consent === 'declined') document.cookie = `${SUBJECT_COOKIE}=; Max-Age=0; Path=/`;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${NAME}=${consent}; Max-Age=${DAYS * 86_400}; Path=/; SameSite=Lax${secure}`;
};
