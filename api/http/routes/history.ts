import type { Context } from 'hono';
import { Hono } from 'hono';
import { stream } from 'hono/streaming';
import { csvText } from '../../contract/csv/write.ts';
import type { RecordEntry } from '../../history/history.contract.ts';
import { recordFilters } from '../../history/history.contract.ts';
import type { Asking } from '../request/asker.ts';
import { askerOf } from '../request/asker.ts';
import { described, EVERYBODY } from '../openapi/route-docs.ts';

/** Entries a page; a file of a million takes some minutes. */
const PAGE = 200;

/**
 * `/api/history.csv` and `/api/history.ndjson`: the record as a file, with the filters of the query. It is sent as it is read, page by page, with
 * the rights of each moment; whoever closes the connection ends it.
 */
export const historyRoutes = (options: Asking): Hono => {
  const http = new Hono();
  for (const [ending, type, write] of [
    ['csv', 'text/csv; charset=utf-8', csv],
    ['ndjson', 'application/x-ndjson; charset=utf-8', ndjson],
  ] as const) {
    const description = {
      does: `The record of what happened as a file (${ending.toUpperCase()}), newest first, with the filters of the query history.`,
      for: EVERYBODY,
      asks: recordFilters,
      answers: 'file',
    } as const;
    http.get(`/history.${ending}`, described(description), async (c) => {
      const pages = pagesOf(options, c);
      // The first one refuses what may not be asked, before anything is sent.
      const first = await pages.next();
      c.header('Content-Type', type);
      c.header('Content-Disposition', `attachment; filename="history.${ending}"`);
      c.header('Cache-Control', 'no-store');
      return stream(c, async (file) => {
        await file.write(write(first.done === true ? [] : first.value, true));
        for await (const page of pages) await file.write(write(page, false));
      });
    });
  }
  return http;
};

const pagesOf = async function* ({ queries, ...options }: Asking, c: Context): AsyncGenerator<readonly RecordEntry[]> {
  let before: string | undefined;
  do {
    const input = { ...c.req.query(), limit: PAGE, ...(before === undefined ? {} : { before }) };
    const handsOut = before === undefined ? ({ what: 'record', ...narrowing.safeParse(input).data } as const) : undefined;
    const answer = await queries.ask('history', askerOf({ queries, ...options }, c), input, { handsOut });
    const { events, next } = answer.value();
    yield events;
    before = next ?? undefined;
  } while (before !== undefined && !c.req.raw.signal.aborted);
};

/** The filters that narrow what is handed out to some things. */
const narrowing = recordFilters.pick({ subjectId: true, yearGroupId: true, setId: true, testId: true, taskId: true, studentId: true });

const COLUMNS = ['Time (UTC)', 'Who', 'Role', 'Viewed as', 'What', 'Type', 'Stream', 'Revision', 'Event', 'Act'];

const csv = (events: readonly RecordEntry[], isFirst: boolean): string => {
  const rows = events.map((entry) => [
    entry.at,
    entry.by.name ?? '(forgotten)',
    entry.by.role,
    entry.viewedAs === null ? '' : (entry.viewedAs.name ?? entry.viewedAs.role),
    sentenceOf(entry),
    entry.type,
    entry.stream,
    entry.revision,
    entry.eventId,
    entry.commandId,
  ]);
  const text = csvText(COLUMNS, rows, { mark: isFirst });
  return isFirst ? text : text.slice(text.indexOf('\n') + 1);
};

const ndjson = (events: readonly RecordEntry[]): string =>
  events.map((entry) => `${JSON.stringify({ ...entry, sentence: sentenceOf(entry) })}\n`).join('');

const sentenceOf = ({ sentence }: RecordEntry): string => sentence.map(({ text }) => text).join('');
