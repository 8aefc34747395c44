/** What is evaluated in a page with a grid. Times are ms since 1970, the same clock in every page. */

/** Defines `bench` in the page. `painted`: the time after the next frame has been painted. */
export const HELPERS = `globalThis.bench = {
  now: () => performance.timeOrigin + performance.now(),
  painted: () => new Promise((resolve) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(bench.now());
    port2.postMessage(0);
  })),
  until: (isTrue) => new Promise((resolve) => {
    const observer = new MutationObserver(() => look());
    const look = () => {
      if (!isTrue()) return;
      observer.disconnect();
      bench.painted().then(resolve);
    };
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    look();
  }),
  grid: () => document.querySelector('table[role="grid"]'),
  textIn: (cell) => cell?.querySelector('input')?.value ?? cell?.firstChild?.textContent ?? '',
  textAt: (row, column) => bench.textIn(document.querySelector('td[data-row="' + row + '"][data-column="' + column + '"]')),
  isStored: () => document.querySelector('td[data-status="changed"], td[data-status="saving"]') === null,
  keys: new Map(),
};
for (const kind of ['keydown', 'input'])
  document.addEventListener(kind, (event) => {
    if (kind === 'keydown') bench.pressed = performance.timeOrigin + event.timeStamp;
    const { pressed } = bench;
    bench.painted().then((at) => bench.keys.set(pressed, at - pressed));
  }, { capture: true });
`;

/** Chooses a class of so many students. Answers the ms until its grid is painted. */
export const choose = (name: string, students: number): string => `(async () => {
  const select = [...document.querySelectorAll('select')].find(({ options }) => [...options].some(({ text }) => text === '${name}'));
  const { value } = [...select.options].find(({ text }) => text === '${name}');
  const began = bench.now();
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, value);
  select.dispatchEvent(new Event('change', { bubbles: true }));
  return (await bench.until(() => bench.grid()?.getAttribute('aria-rowcount') === '${students + 1}'
    && bench.grid().querySelectorAll('td[data-row]').length > 0)) - began;
})()`;

/** Pastes a block of one mark at the active cell. Answers the ms until all cells that are drawn show it, and until none waits any more. */
export const pasteAndWait = (text: string, mark: string): string => `(async () => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', ${JSON.stringify(text)});
  const began = bench.now();
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  const shown = await bench.until(() => [...document.querySelectorAll('td[data-row]')].every((cell) => bench.textIn(cell) === '${mark}'));
  const stored = await bench.until(() => bench.isStored());
  return { shown: shown - began, stored: stored - began };
})()`;

/** The time at which a cell is painted with this text. */
export const shows = (row: number, column: number, text: string): string =>
  `bench.until(() => bench.textAt(${row}, ${column}) === '${text}')`;

/** The time at which the last answer to a save had arrived. */
export const ANSWERED = `performance.timeOrigin + Math.max(0, ...performance.getEntriesByType('resource')
  .filter(({ name }) => name.includes('/api/commands/EnterMarks')).map(({ responseEnd }) => responseEnd))`;

/** When the last key was pressed; ms from each key to the frame after it, since the last question. */
export const PRESSED = 'bench.pressed';
export const KEYS = '(() => { const all = [...bench.keys.values()]; bench.keys.clear(); return all; })()';
