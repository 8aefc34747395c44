import { InputAdornment, TextField } from '@mui/material';
import SearchIcon from '@mui/icons-material/Search';
import { useEffect, useEffectEvent, useState } from 'react';
import { useListContext } from 'react-admin';

/** Searches a list on the server, shortly after the last keystroke. */
export const SearchBox = ({ label }: { readonly label: string }) => <SearchField label={label} {...useSearch()} />;

/** The text of a search ('': none), and how to change it. */
type Search = { readonly words: string; readonly search: (words: string) => void };

export const SearchField = ({ label, words, search }: Search & { readonly label: string }) => {
  const [text, setText] = useState(words);
  const [lastWords, setLastWords] = useState(words);
  if (words !== lastWords) {
    setLastWords(words);
    // Changed elsewhere, by a saved filter or Back. What is being typed stays.
    if (text === lastWords) setText(words);
  }
  const ask = useEffectEvent(() => search(text));
  useEffect(() => {
    if (text === words) return;
    const timer = setTimeout(ask, PAUSE);
    return () => clearTimeout(timer);
  }, [text, words]);
  return (
    <TextField
      type="search"
      label={label}
      value={text}
      onChange={({ target }) => setText(target.value)}
      sx={{ width: 'min(100%, 360px)' }}
      slotProps={{
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <SearchIcon fontSize="small" />
            </InputAdornment>
          ),
        },
      }}
    />
  );
};

/** ms */
const PAUSE = 250;

/** The search of a list. */
export const useSearch = (): Search => {
  const list = useListContext();
  const filter = list.filterValues as Readonly<Record<string, unknown>>;
  const { q, ...others } = filter;
  return {
    words: typeof q === 'string' ? q : '',
    search: (words) => list.setFilters(words === '' ? others : { ...others, q: words }),
  };
};
