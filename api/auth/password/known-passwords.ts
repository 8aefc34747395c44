import { createRequire } from 'node:module';

/** Guesses that are likely at a school and missing in general lists. */
const OURS = `marktrail schooling highschool pupil pupils classroom maths geography headteacher footballer grade grades exam exams
  superuser welcomeback accessgranted thepassword yourpassword ourpassword testpassword demodemo correcthorsebatterystaple
  leedsunited manchestercity juventusfc fortnite roblox instagram whatsapp snapchat tiktok taylorswift onedirection harleydavidson
  mercedesbenz hallowelt`;

let known: ReadonlySet<string> | undefined;

/**
 * Whether a word, in lower case, is one of about 50,000 commonly used passwords, from zxcvbn's list of leaked ones. The list is loaded when
 * somebody first chooses a password, because that takes a quarter of a second and about 20 MB.
 */
export const isKnownPassword = (word: string): boolean => (known ??= read()).has(word);

const read = (): ReadonlySet<string> => {
  // Only the list: the package's entry point also loads dictionaries and keyboards that are not used here.
  const leaked = createRequire(import.meta.url)('@zxcvbn-ts/language-common/dist/passwords.json.cjs') as readonly string[];
  return new Set([...leaked, ...OURS.split(/\s+/)]);
};
