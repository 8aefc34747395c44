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

/** Declining also removes what an earlier consent allowed to be remembered. */
export const writeConsent = (consent: Consent): void => {
  if (consent === 'declined') localStorage.clear();
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${NAME}=${consent}; Max-Age=${DAYS * 86_400}; Path=/; SameSite=Lax${secure}`;
};
