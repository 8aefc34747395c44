import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A key and a self-signed certificate for 127.0.0.1, valid for a day, as PEM. */
export const selfSigned = (): { key: string; cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(oid(85, 4, 3), der(0x0c, Buffer.from('127.0.0.1')))));
  const now = Date.now();
  const address = der(0x87, Buffer.from([127, 0, 0, 1]));
  const toBeSigned = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    sequence(ECDSA_WITH_SHA256),
    name,
    sequence(time(now - HOUR), time(now + 24 * HOUR)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        sequence(oid(85, 29, 19), der(0x04, sequence(der(0x01, Buffer.from([0xff]))))),
        sequence(oid(85, 29, 17), der(0x04, sequence(address))),
      ),
    ),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', toBeSigned, privateKey)]));
  const body = sequence(toBeSigned, sequence(ECDSA_WITH_SHA256), signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${body.replaceAll(/(.{64})/g, '$1\n').trim()}\n-----END CERTIFICATE-----\n`,
  };
};

const HOUR = 3_600_000;

/** A value in ASN.1 DER encoding. */
const der = (tag: number, content: Buffer): Buffer => {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const sequence = (...parts: Buffer[]): Buffer => der(0x30, Buffer.concat(parts));

const integer = (bytes: Buffer): Buffer => der(0x02, bytes);

const oid = (...bytes: number[]): Buffer => der(0x06, Buffer.from(bytes));

const time = (at: number): Buffer => der(0x17, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));

/** 1.2.840.10045.4.3.2 */
const ECDSA_WITH_SHA256 = oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02);
