/**
 * A file outside the database that lists who was forgotten: one line of JSON each, on disk before the person's key is destroyed. It only
 * holds ids and times. A database restored from an older backup may hold destroyed keys again; with this file they are destroyed once more.
 */
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { id } from '../fields.ts';

/** One person's key: a student's, an account's, a teacher record's. */
const forgetting = z.object({
  /** whose key: the id of the student, the account or the teacher record */
  person: id,
  schoolId: id,
  kind: z.enum(['student', 'student-account', 'staff-account', 'teacher']),
  /** of a teacher record */
  subjectId: id.optional(),
  /** ISO instant */
  at: z.iso.datetime(),
});
export type Forgetting = z.infer<typeof forgetting>;

/** The file is invalid: the message is one line that says what to do. */
export class ForgettingsDamaged extends Error {
  override readonly name = 'ForgettingsDamaged';
}

export class Forgettings {
  readonly #file: string;
  #size = -1;
  #known = new Map<string, Forgetting>();
  #adding: Promise<void> = Promise.resolve();

  private constructor(file: string) {
    this.#file = file;
  }

  /** @throws ForgettingsDamaged */
  static async open(file: string): Promise<Forgettings> {
    const forgettings = new Forgettings(file);
    await forgettings.refresh();
    return forgettings;
  }

  has(person: string): boolean {
    return this.#known.has(person);
  }

  /** Oldest first. */
  all(): readonly Forgetting[] {
    return [...this.#known.values()];
  }

  /** Reads what other processes have written. Only checks the file's size if nothing has changed. */
  async refresh(): Promise<void> {
    const size = await stat(this.#file).then(
      (found) => found.size,
      (error: unknown) => (isMissing(error) ? 0 : Promise.reject(error)),
    );
    if (size === this.#size) return;
    const text = size === 0 ? '' : await readFile(this.#file, 'utf8');
    const byPerson = new Map<string, Forgetting>();
    // Text after the last line break is what a process was writing when it died: it was never confirmed.
    text
      .split('\n')
      .slice(0, -1)
      .forEach((line, index) => {
        // So is half a line to which another process has appended.
        if (line === '' || (line.startsWith('{') && !line.endsWith('}'))) return;
        const one = read(line);
        if (!one) throw new ForgettingsDamaged(`${this.#file} is damaged in line ${index + 1}: put it back from a backup.`);
        if (!byPerson.has(one.person)) byPerson.set(one.person, one);
      });
    this.#known = byPerson;
    this.#size = size;
  }

  /** On disk when fulfilled. Persons in the file are not written again. */
  add(forgettings: readonly Forgetting[]): Promise<void> {
    const added = this.#adding.then(() => this.#append(forgettings));
    this.#adding = added.catch(() => undefined);
    return added;
  }

  async #append(forgettings: readonly Forgetting[]): Promise<void> {
    await this.refresh();
    const lines = forgettings.filter(({ person }) => !this.has(person)).map((one) => JSON.stringify(forgetting.parse(one)));
    if (lines.length === 0) return;
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    const file = await open(this.#file, 'a', 0o600);
    try {
      // Begins with a line break, so that half a line left by a dead process does not spoil it.
      await file.appendFile(`\n${lines.join('\n')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await syncDirectory(dirname(this.#file));
    await this.refresh();
  }
}

const read = (line: string): Forgetting | undefined => {
  try {
    return forgetting.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
};

/** Makes sure that the file itself survives a power cut. Some systems do not support it. */
const syncDirectory = async (path: string): Promise<void> => {
  try {
    const directory = await open(path, 'r');
    await directory.sync().finally(() => directory.close());
  } catch {
    // Windows opens no directories.
  }
};

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';
