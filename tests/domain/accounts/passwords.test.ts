import { describe, expect, test } from 'vitest';
import { passwordProblem } from '../../../api/auth/password/password-rules.ts';
import { Passwords } from '../../../api/auth/password/password-hash.ts';
import { authMessages } from '../../../api/contract/auth-messages.ts';

const ada = { email: 'ada.nwosu@greenfield.example', name: 'Ada Nwosu', school: 'Greenfield Academy' };

describe('a password', () => {
  test.each([
    'password',
    'Password1!',
    'P@ssw0rd',
    'passwordpassword',
    'iloveyou2',
    'Liverpool1892',
    'qwertyuiop',
    'Welcome123',
    'letmein1',
    'trustno1!',
    'Manchester1',
    'marktrail2026',
    'headteacher1',
  ])('is refused as one of the commonest: %s', (password) =>
    expect([authMessages.passwordCommon, authMessages.passwordPattern]).toContain(passwordProblem(password, ada)),
  );

  test.each(['aaaaaaaa', '12345678', '87654321', 'abcdefgh', 'abcd1234', '11112222', '1qwertyu', '01022009', 'asdfasdf1', 'zxcvbnm,'])(
    'is refused as a pattern: %s',
    (password) => expect([authMessages.passwordCommon, authMessages.passwordPattern]).toContain(passwordProblem(password, ada)),
  );

  test.each(['ada.nwosu', 'Ada.Nwosu1', 'greenfield', 'Greenfield2026', 'GreenfieldAcademy!', 'nwosu-2009'])(
    'is refused as made of what everybody knows: %s',
    (password) => expect(passwordProblem(password, ada)).toBe(authMessages.passwordAboutYou),
  );

  test.each([
    ['WilliamsChristopher1999', 'Christopher Williams'],
    ['Christopher-Williams-2009', 'Williams, Christopher'],
    ['2009LiAda!', 'Ada Li'],
  ])('is refused as made of one’s own name, in any order and with a year: %s', (password, name) =>
    expect(passwordProblem(password, { email: 'x1@greenfield.example', name })).toBe(authMessages.passwordAboutYou),
  );

  test.each([
    'long enough',
    'marktrail-demo',
    'correct horse greenfield battery',
    'Tr0ub4dor&3',
    'vier gewinnt immer',
    'Kx9#mQ2v',
    'ünïcödé wörds',
    'academic freedom rules',
  ])('is taken: %s', (password) => expect(passwordProblem(password, ada)).toBeUndefined());
});

describe('the hash of a password', () => {
  const passwords = new Passwords();

  test('knows its password and no other, and is another one each time', async () => {
    const [one, other] = await Promise.all([passwords.hash('long enough'), passwords.hash('long enough')]);
    expect(one).not.toBe(other);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.verify({ hash: one, password: 'long enough' })).toBe(true);
    expect(await passwords.verify({ hash: one, password: 'Long enough' })).toBe(false);
  });

  test('of nobody, or of nonsense, fits nothing', async () => {
    for (const hash of [passwords.nobodysHash, '', 'x', 'x:y', '$argon2id$'])
      expect(await passwords.verify({ hash, password: 'long enough' })).toBe(false);
  });
});
