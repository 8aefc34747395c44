import type { RecoveryCodes, TwoStepStarted } from '#api/contract/auth';
import { connection } from './ask.ts';

const { identity, verifyCode } = connection.api;

/** All throw ApiRefusal or Unreachable. */
export const startTwoStep = (password: string): Promise<TwoStepStarted> => identity('/two-factor/enable', { password });
export const verifyTwoStep = (code: string): Promise<unknown> => verifyCode(code, 'authenticator');
export const verifyRecovery = (code: string): Promise<unknown> => verifyCode(code, 'recovery');
export const endTwoStep = (password: string): Promise<unknown> => identity('/two-factor/disable', { password });
export const newRecoveryCodes = (password: string): Promise<RecoveryCodes> => identity('/two-factor/generate-backup-codes', { password });

/** In groups of four, for typing by hand. */
export const secretIn = (totpURI: string): string =>
  new URL(totpURI).searchParams
    .get('secret')
    ?.replace(/(.{4})(?=.)/g, '$1 ')
    .trim() ?? '';
