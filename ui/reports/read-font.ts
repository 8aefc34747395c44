import fontAddress from 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf?url';

/** The font for letters beyond Latin-1 (Latin, Greek, Cyrillic, Arabic, ...), in base 64. */
export const readFont = async (): Promise<string> => {
  const bytes = new Uint8Array(await (await fetch(fontAddress)).arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};
