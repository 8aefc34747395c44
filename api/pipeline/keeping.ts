import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { KeyRing } from '../../events/codec/keys.ts';
import { decrypt, encrypt } from '../../events/codec/personal.ts';

export type SchoolKeys = Pick<KeyRing, 'schoolKey'>;

/** What is kept of a school besides its log, sealed under a key of the school's for this one purpose. @param id that it is bound to */
export const keeping = <Kept>(keys: SchoolKeys, purpose: string) => {
  const key = async (schoolId: string): Promise<KeyObject> =>
    createSecretKey(Buffer.from(hkdfSync('sha256', await keys.schoolKey(schoolId), '', purpose, 32)));
  return {
    seal: async (schoolId: string, id: string, kept: Kept): Promise<Buffer> =>
      encrypt(await key(schoolId), id, Buffer.from(JSON.stringify(kept))),
    /** @throws Error when it was changed, or sealed under another id or key */
    open: async (schoolId: string, id: string, sealed: Buffer): Promise<Kept> =>
      JSON.parse(decrypt(await key(schoolId), id, sealed).toString()) as Kept,
  };
};
