import type { Imports, Violation } from './imports.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/u);

/** What the product is about. A noun is the name of its folder on every floor where it has one. Those before may import those after. */
const NOUNS = 'history accounts revision-lists analysis tasks assessments school marks prior students';
const nouns: ReadonlySet<string> = new Set(words(NOUNS));

/**
 * The rooms of each floor, from the top: a room imports those after it only, types too. A room is a folder or a file; what lies deeper
 * belongs to the nearest one named here.
 */
const floors: Readonly<Record<string, readonly string[]>> = {
  events: words(
    `transfer proof sentences.ts registry.ts ${NOUNS} aggregate.ts change.ts sentence.ts codec store async array-literal.ts fields.ts uuid.ts`,
  ),
  api: words(`
    http handlers.ts live calls auth security access.ts resources.ts queries.ts commands.ts templates.ts contracts.ts
    ${NOUNS} pipeline mail common actor.ts contract`),
  projections: words(`
    all.ts ledger ${NOUNS}
    engine/as-of engine/engine.ts engine/rebuild.ts engine/coordination engine/subscription engine/announcing engine/building engine
    engine/tables`),
  run: words(`
    main.ts dev.ts cli.ts build.ts check commands.ts commands http demo backend.ts acting.ts projector.ts health.ts auth.ts database backup checks log postgres
    with-client.ts lifecycle.ts command.ts settings.ts variables.ts command-client.ts first-files.ts apps.ts start-error.ts bootstrap.mjs`),
  ui: words(`
    students record status as-of accounts assessments marks frame session drafts reports file table site sending feedback controls api pages.ts roles.ts lazily.ts observed.ts`),
  'staff-ui': words(`
    main.tsx app.css App.tsx StaffShell.tsx UploadDialogs.tsx NotFoundPage.tsx home history
    revision-lists analysis tasks prior marks shell queries.ts moment.ts format.ts vite.config.ts`),
  'admin-ui': words(`
    main.tsx app.css App.tsx AdminApp.tsx AdminFrame.tsx home ${NOUNS}
    frame list drafts dialog data moment.ts format.ts vite.config.ts`),
  'student-ui': words(`
    main.tsx app.css prerender.tsx App.tsx shell pages ${NOUNS} splash useStudent.ts vite.config.ts`),
};

/** Every import from a room into one above it. */
export function upward(imports: Imports): Violation[] {
  return [...imports].flatMap(([from, targets]) => {
    const here = roomOf(from);
    if (here === undefined) return [];
    return targets.flatMap((to) => {
      const there = roomOf(to);
      return there?.floor === here.floor && there.place < here.place ? [{ rule: 'no room looks up', from, to }] : [];
    });
  });
}

/** The floor of a file, and the place of its room there; undefined: on no floor. The place is -1 where no room has the file. */
function roomOf(file: string): { readonly floor: string; readonly place: number } | undefined {
  const floor = file.slice(0, file.indexOf('/'));
  const rooms = floors[floor];
  if (!rooms) return undefined;
  const path = file.slice(floor.length + 1);
  const names = path.split('/').map((_, depth, parts) => parts.slice(0, depth + 1).join('/'));
  return { floor, place: rooms.indexOf(names.findLast((name) => rooms.includes(name)) ?? '') };
}

/** Files that are in no room of their floor. */
export const homeless = (files: Iterable<string>): string[] =>
  [...files].filter((file) => roomOf(file)?.place === -1).map((file) => `${file} is in no room: name it in run/check/rooms.ts`);

/** A folder with more files is a heap; one with fewer files and folders makes people open it for next to nothing. */
const MOST_FILES = 24;
const FEWEST = 4;

/** Folders of the product that cannot be read at a glance, or hardly hold anything. Nouns and the floors themselves may be small. */
export function misfits(files: Iterable<string>): string[] {
  const contents = new Map<string, { readonly files: Set<string>; readonly folders: Set<string> }>();
  for (const file of files) {
    const [floor = '', ...parts] = file.split('/');
    if (!floors[floor]) continue;
    let folder = floor;
    for (const [depth, part] of parts.entries()) {
      const here = contents.get(folder) ?? { files: new Set(), folders: new Set() };
      contents.set(folder, here);
      (depth === parts.length - 1 ? here.files : here.folders).add(part);
      folder += `/${part}`;
    }
  }
  return [...contents].flatMap(([folder, { files, folders }]) => {
    const [, ...below] = folder.split('/');
    const maySmall = below.length === 0 || (below.length === 1 && nouns.has(below[0] ?? ''));
    if (files.size > MOST_FILES) return [`${folder} holds ${files.size} files, at most ${MOST_FILES}: give it rooms by purpose`];
    const size = files.size + folders.size;
    return size < FEWEST && !maySmall ? [`${folder} holds ${size}, at least ${FEWEST}: put them where they are used`] : [];
  });
}
