import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';

/** Keys derived from the master key, one per purpose; none of them is stored. */
export type Secrets = {
  /** signs cookies and tokens of sessions, seals the second step */
  readonly sessions: string;
  readonly robot: string;
  /** HMAC of pieces that must be looked up but not read back, such as a joining code. */
  readonly mac: (...pieces: readonly string[]) => Buffer;
  /** seals what admins may read again */
  readonly seal: Buffer;
};

export const secretsOf = (masterKey: KeyObject): Secrets => {
  const key = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', masterKey, '', `marktrail ${purpose}`, 32));
  const macKey = key('front door');
  return {
    sessions: key('sessions').toString('base64url'),
    robot: key('robot check').toString('base64url'),
    seal: key('joining codes'),
    mac: (...pieces) => {
      const mac = createHmac('sha256', macKey);
      for (const piece of pieces) mac.update(`${Buffer.byteLength(piece)}:${piece}`);
      return mac.digest();
    },
  };
};
