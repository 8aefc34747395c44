import { createRequire } from 'node:module';

/** What is tried at a school, and is in no list of the world. */
const OURS = `marktrail schooling highschool pupil pupils classroom maths geography headteacher footballer grade grades exam exams
  superuser welcomeback accessgranted thepassword yourpassword ourpassword testpassword demodemo correcthorsebatterystaple
  leedsunited manchestercity juventusfc fortnite roblox instagram whatsapp snapchat tiktok taylorswift onedirection harleydavidson
  mercedesbenz hallowelt`;

let known: ReadonlySet<string> | undefined;

/**
 * Whether a word, in lower case, is one of some 50,000 passwords that are known to be used, from zxcvbn's list of leaked ones. It is read
 * when somebody first chooses a password: it takes a quarter of a second then, and some 20 MB.
 */
export const isKnownPassword = (word: string): boolean => (known ??= read()).has(word);

const read = (): ReadonlySet<string> => {
  // The list alone: the package's entry also loads dictionaries and keyboards that nobody asks here.
  const leaked = createRequire(import.meta.url)('@zxcvbn-ts/language-common/dist/passwords.json.cjs') as readonly string[];
  return new Set([...leaked, ...OURS.split(/\s+/)]);
};
