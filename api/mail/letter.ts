/** The content of a mail, for both its plain text and its HTML. */
export type Letter = {
  readonly to: string;
  readonly subject: string;
  /** If it goes with others in one mail; left out: as its own. */
  readonly subjectOfSeveral?: string;
  /** The school, or Marktrail itself. */
  readonly from: string;
  readonly paragraphs: readonly string[];
  /** Shown as a button. */
  readonly link?: { readonly label: string; readonly url: string };
  /** Shown below: for how long the link works, and what to do if one did not ask for it. */
  readonly notes: readonly string[];
};

/** Letters to one person as one, in their order; what several say is said once. Undefined: there is none. */
export const inOne = (letters: readonly Letter[]): Letter | undefined => {
  const [first, ...others] = letters;
  if (!first || others.length === 0) return first;
  return {
    ...first,
    subject: first.subjectOfSeveral ?? first.subject,
    paragraphs: [...new Set(letters.flatMap(({ paragraphs }) => paragraphs))],
    notes: [...new Set(letters.flatMap(({ notes }) => notes))],
  };
};

/**
 * A text that a user typed, so that no mail program makes a link of it: names that are older than the rule against web addresses are in the
 * log for ever.
 */
export const typed = (text: string): string =>
  text
    .replace(/([:/\\])(?=[/\\])/g, '$1 ')
    .replace(/@/g, ' @ ')
    .replace(/(?<=[\p{L}\p{N}_-])([.\u3002\uff0e\uff61])(?=[\p{L}\p{N}_-]{2}|\p{N})/gu, '$1 ')
    .replace(/\s+/g, ' ')
    .trim();

/** The same between quotation marks, which it cannot end itself. */
export const quoted = (text: string): string => `“${typed(text).replace(/[“”]/g, '"')}”`;

export const letterText = ({ from, paragraphs, link, notes }: Letter): string =>
  [...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), ...notes, `-- \n${from}`].join('\n\n');

/** Tables and inline styles, because mail programs support little else. */
export const letterHtml = ({ from, subject, paragraphs, link, notes }: Letter): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(subject)}</title></head>
<body style="margin:0;background:#f4f5f2;font:16px/1.5 system-ui,sans-serif;color:#1d211a">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#fff;border-radius:8px">
<tr><td style="padding:20px 28px;border-bottom:3px solid #50900c;font-weight:600">${escaped(from)}</td></tr>
<tr><td style="padding:20px 28px">
${paragraphs.map((text) => `<p style="margin:0 0 16px">${escaped(text)}</p>`).join('\n')}
${link ? button(link) : ''}
${notes.map((text) => `<p style="margin:0 0 12px;font-size:14px;color:#555c4e">${escaped(text)}</p>`).join('\n')}
</td></tr></table>
</td></tr></table>
</body>
</html>
`;

const button = ({ label, url }: NonNullable<Letter['link']>): string =>
  `<p style="margin:0 0 16px"><a href="${escaped(url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;` +
  `background:#3f7309;color:#fff;text-decoration:none;font-weight:600">${escaped(label)}</a></p>
<p style="margin:0 0 16px;font-size:14px;color:#555c4e">Or copy this address: ${escaped(url)}</p>`;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
