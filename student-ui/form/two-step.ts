import { problemOf, Refused, Unreachable } from '../../ui/api/failure.ts';

/** What an authenticator needs, and the codes for the day when it is lost. Neither is ever shown again. */
export type Started = { readonly totpURI: string; readonly backupCodes: readonly string[] };

export const startTwoStep = (password: string): Promise<Started> => ask('enable', { password });
export const verifyTwoStep = (code: string): Promise<unknown> => ask('verify-totp', { code });
export const verifyRecovery = (code: string): Promise<unknown> => ask('verify-backup-code', { code });
export const endTwoStep = (password: string): Promise<unknown> => ask('disable', { password });
export const newRecoveryCodes = (password: string): Promise<Pick<Started, 'backupCodes'>> => ask('generate-backup-codes', { password });

/** As somebody types it who cannot scan: in fours. */
export const secretIn = (totpURI: string): string =>
  new URL(totpURI).searchParams
    .get('secret')
    ?.replace(/(.{4})(?=.)/g, '$1 ')
    .trim() ?? '';

/** @throws Refused, Unreachable */
const ask = async <Answer>(path: string, body: object): Promise<Answer> => {
  const response = await fetch(`/api/identity/two-factor/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Unreachable();
  });
  if (!response.ok) throw new Refused(await problemOf(response));
  return (await response.json()) as Answer;
};
