import type { Flags } from '#api/contract/flags';
import { FLAGS, footnotes } from '#api/contract/flags';

/** The signs of what is open about a figure, right after it; whoever hears the page is told in words. */
export const FlagSigns = ({ flags }: { readonly flags: Flags }) =>
  flags?.map((flag) => (
    <abbr key={flag} title={FLAGS[flag].text}>
      <span aria-hidden="true"> {FLAGS[flag].sign}</span>
      <span className="sr">, {FLAGS[flag].short}</span>
    </abbr>
  ));

/** What the signs mean, below them. */
export const FlagNotes = ({ flags, className }: { readonly flags: Flags; readonly className?: string | undefined }) =>
  footnotes(flags).map((line) => (
    <p key={line} className={className}>
      {line}
    </p>
  ));
