import { connection } from './ask.ts';

/** What an authenticator needs, and the codes for the day when it is lost. Neither is ever shown again. */
export type Started = { readonly totpURI: string; readonly backupCodes: readonly string[] };

const { identity, verifyCode } = connection.api;

/** Each @throws Refused, Unreachable */
export const startTwoStep = (password: string): Promise<Started> => identity('/two-factor/enable', { password });
export const verifyTwoStep = (code: string): Promise<unknown> => verifyCode(code, 'authenticator');
export const verifyRecovery = (code: string): Promise<unknown> => verifyCode(code, 'recovery');
export const endTwoStep = (password: string): Promise<unknown> => identity('/two-factor/disable', { password });
export const newRecoveryCodes = (password: string): Promise<Pick<Started, 'backupCodes'>> =>
  identity('/two-factor/generate-backup-codes', { password });

/** As somebody types it who cannot scan: in fours. */
export const secretIn = (totpURI: string): string =>
  new URL(totpURI).searchParams
    .get('secret')
    ?.replace(/(.{4})(?=.)/g, '$1 ')
    .trim() ?? '';
