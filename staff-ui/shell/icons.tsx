const icon = (path: string) => (
  <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
    <path d={path} fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);

export const homeIcon = icon('M3 9.5 10 3.5l7 6M5 8.5V16.5h10V8.5M8.5 16.5v-5h3v5');
export const markbookIcon = icon('M3 4h14v12H3zM3 8h14M3 12h14M8 4v12');
export const totalsIcon = icon('M10 13V4M6.5 7 10 3.5 13.5 7M3.5 13v3.5h13V13');
export const resultsIcon = icon('M5 3.5h10v13H5zM8 7.5h4M8 10.5h4M8 13.5h2');
