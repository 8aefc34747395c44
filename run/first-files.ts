import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { AppName, PathOf } from '../ui/pages.ts';

/** What a page needs besides the entry of its app: modules that its app imports when it is opened. */
type Modules = readonly string[];

const staff = {
  '': ['home/HomePage.tsx'],
  '/markbook': ['marks/markbook/MarkbookPage.tsx'],
  '/predictors': ['analysis/predictors/PredictorsPage.tsx'],
  '/questions': ['analysis/questions/QuestionAnalysisPage.tsx'],
  '/marks': ['marks/sheet/MarksPage.tsx'],
  // Opened from the markbook, whose parts it shows: with a list of its own these would be in a file that all pages load.
  '/markbook/replay': [],
  '/history': ['history/HistoryPage.tsx'],
} as const;

const ofStaff: Readonly<Record<PathOf<'staff-ui'>, Modules>> = {
  '/teacher': staff[''],
  '/teacher/markbook': staff['/markbook'],
  '/teacher/predictors': staff['/predictors'],
  '/teacher/questions': staff['/questions'],
  '/teacher/marks': staff['/marks'],
  '/teacher/markbook/replay': staff['/markbook/replay'],
  '/teacher/history': staff['/history'],
  '/leader': staff[''],
  '/leader/markbook': staff['/markbook'],
  '/leader/predictors': staff['/predictors'],
  '/leader/questions': staff['/questions'],
  '/leader/marks': staff['/marks'],
  '/leader/markbook/replay': staff['/markbook/replay'],
  '/leader/history': staff['/history'],
  '/leader/prior': ['prior/PriorPage.tsx'],
};

const area = 'shell/SignedInArea.tsx';
const ofStudents: Readonly<Record<PathOf<'student-ui', 'account' | 'student'>, Modules>> = {
  '/student': [area],
  '/student/submit': [area, 'marks/SubmitPage.tsx'],
  '/student/select': [area, 'shell/SelectPage.tsx'],
  '/student/subject': [area],
  '/student/my-data': [area, 'accounts/my-data/MyDataPage.tsx'],
  '/profile': [area, 'accounts/profile/ProfilePage.tsx'],
};

/** By page: what it needs first. A page that is not named needs no more than the entry. */
export const firstModules: Readonly<Record<AppName, Readonly<Record<string, Modules>>>> = {
  'staff-ui': ofStaff,
  'student-ui': ofStudents,
  'admin-ui': {},
};

type ModuleInfo = { readonly importedIds: readonly string[] };
type Context = { getModuleInfo(id: string): ModuleInfo | null };

/**
 * The chunks of an app: what React is, what the entry needs, what several pages need, and one for each page. So a page comes in a few files,
 * whichever the bundler would make of the parts that pages and dialogs share. The bundler decides about all others, such as dialogs.
 *
 * @param root the folder of the app
 */
export const chunksOf = (root: string, app: AppName) => {
  const pages = [...new Set(Object.values(firstModules[app]).flat())];
  if (pages.length === 0) return [];
  let reached: readonly (readonly [string, ReadonlySet<string>])[] | undefined;
  const nameOf = (id: string, context: Context): string | undefined => {
    if (/[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/u.test(id)) return 'base';
    reached ??= ['main.tsx', ...pages].map((file) => [file, reachedFrom(join(root, file), context)] as const);
    const [first, ...others] = reached.filter(([, modules]) => modules.has(id)).map(([file]) => file);
    if (first === 'main.tsx') return 'app';
    return others.length > 0 ? 'pages' : first && nameOfPage(first);
  };
  // What one takes is not among those after it.
  return ['base', 'app', 'pages', ...pages.map(nameOfPage)].map((chunk, place) => ({
    priority: 100 - place,
    name: (id: string, context: Context) => (nameOf(id, context) === chunk ? chunk : null),
  }));
};

const nameOfPage = (module: string): string => basename(module, '.tsx');

/** The module and all that it imports, but for what it imports later. */
const reachedFrom = (entry: string, context: Context): ReadonlySet<string> => {
  const reached = new Set([entry]);
  for (const id of reached) for (const imported of context.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  return reached;
};

/** Of the bundler's manifest. */
type Chunk = { readonly file: string; readonly name?: string; readonly css?: readonly string[]; readonly imports?: readonly string[] };

type HeadLine = { readonly file: string; readonly line: string };

/**
 * The lines of a page's head that have the browser load what the page needs at once, instead of when the entry has run.
 *
 * @throws Error if the app has no such module
 */
export const headOf = (app: AppName, modules: Modules, manifestFile: string): readonly HeadLine[] => {
  // Safe: the bundler has just written it.
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Readonly<Record<string, Chunk>>;
  const needed = new Set(
    modules.map((module) => {
      const [key] = Object.entries(manifest).find(([, { name, file }]) => file.endsWith('.js') && name === nameOfPage(module)) ?? [];
      if (key === undefined) throw new Error(`${app} has no file for ${module}.`);
      return key;
    }),
  );
  const lines: HeadLine[] = [];
  for (const key of needed) {
    const chunk = manifest[key];
    if (!chunk) continue;
    for (const [rel, name] of [['modulepreload', chunk.file], ...(chunk.css ?? []).map((sheet) => ['stylesheet', sheet])]) {
      const file = `/${app}/${name}`;
      lines.push({ file, line: `<link rel="${rel}" crossorigin href="${file}">` });
    }
    for (const other of chunk.imports ?? []) needed.add(other);
  }
  // What others build on goes before them, as a style sheet must.
  return lines.toReversed();
};
