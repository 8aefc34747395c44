export type Paper = 'a4' | 'letter';

/** The paper that printers hold where the language of the device is spoken. */
export const paperOf = (language: string): Paper => (/-(?:US|CA|MX|PH)$/iu.test(language) ? 'letter' : 'a4');
