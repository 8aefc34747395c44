/** The lines as text in columns of equal width, headed by the names of their fields. */
export const asTable = (lines: readonly TableLine[]): string => {
  const names = Object.keys(lines[0] ?? {});
  const widths = names.map((name) => Math.max(name.length, ...lines.map((line) => line[name]?.length ?? 0)));
  const row = (texts: readonly string[]): string =>
    texts
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  return [row(names), ...lines.map((line) => row(names.map((name) => line[name] ?? '')))].join('\n');
};

export type TableLine = Readonly<Record<string, string>>;
