import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The order of the files of a run: those that keep a processor busy (a browser draws) and those that mostly wait (for a process that dies,
 * for a lock) in turns, the largest of each first, so that the processors are neither idle nor fought for; then the small ones that share
 * processes, so that all workers end at the same time.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const largestFirst = await super.sort(files);
    const of = (...projects: readonly string[]) => largestFirst.filter(({ project }) => projects.includes(project.name));
    const [busy, waiting] = [of('browser'), of('processes')];
    const inTurns = Array.from({ length: Math.max(busy.length, waiting.length) }, (_, n) => [busy[n], waiting[n]]);
    return [...inTurns.flat().filter((file) => file !== undefined), ...of('pages', 'shared')];
  }
}
