import type { EventStore } from '../../../events/store/port.ts';

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu;
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/gu;
const POSITION = /"(position|revision)":"\d+"/gu;
/** Not the code of a problem. */
const JOIN_CODE = /(?<!"status":\d+,)"code":"\w{7}"/u;

/** Ids that were there before anybody asked; those that a write makes are not. */
export const idsOfLog = async (store: EventStore): Promise<ReadonlySet<string>> => {
  const ids = new Set<string>();
  for await (const { stream, data } of store.readAll('start')) for (const [id] of `${stream} ${data}`.matchAll(ID)) ids.add(id);
  return ids;
};

type Known = { readonly ids: ReadonlySet<string>; readonly before: number };

/** A body without ids, moments and positions that nobody can know before; after a write also without the joining code that is drawn. */
export const told = (text: string, asked: string, { ids, before }: Known, isWrite: boolean): string => {
  const fresh = new Map<string, string>();
  const body = text
    .replaceAll(ID, (id) => {
      if (ids.has(id) || asked.includes(id)) return id;
      const name = fresh.get(id) ?? `new ${fresh.size + 1}`;
      fresh.set(id, name);
      return name;
    })
    .replaceAll(MOMENT, (moment) => (Date.parse(moment) < before ? moment : 'now'))
    .replaceAll(POSITION, '"$1":"some"');
  return isWrite ? body.replace(JOIN_CODE, '"code":"some"') : body;
};
