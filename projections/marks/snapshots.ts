/**
 * Nobody subtracts: whatever a student can read about groups, no two of them differ by one to four people.
 *
 * What students are shown of others in a test is made of snapshots, one of each class. All who sat it are the sum of the classes, and in a
 * class is, for good, whoever had their first mark there. So two groups that somebody reads, of a class or of all, of today or of an
 * earlier day, differ by what snapshots of single classes differ by. A snapshot is replaced by one that, in each figure, is the same as
 * every earlier one of its class, or differs from it by five students or more; the first of them is of nobody, so that there is none of
 * fewer than five. A total of which questions tell the sum is one figure with it.
 */
export const FEWEST = 5;

/** null: none */
export type Mark = number | null;
/** The mark in a question of a student who sat the test and left it out: counts 0. */
export const LEFT_OUT = -1;
/** Of a student: the staff total, and the mark that counts in each question that the test ever had. */
type Part = readonly Mark[];
type Parts = Readonly<Record<string, Part>>;

export type StoredSnapshot = {
  readonly questions: readonly string[];
  /** what each snapshot changed, the oldest first */
  readonly shown: readonly Parts[];
  /** whose part is another one now */
  readonly waiting: Parts;
};

/** Of what is shown: nobody's name, and no figure of fewer than five. */
export type ShownFigures = {
  /** in ascending order, so that no place says whose one is */
  readonly totals: readonly number[];
  /** how many have marks; of the sums of these, their sum and that of their squares */
  readonly n: number;
  readonly sum: number;
  readonly squares: number;
  readonly questions: Readonly<Record<string, QuestionSums>>;
};
/** `marked`: how many of the `n` have a mark here; the others left the question out. */
export type QuestionSums = { readonly marked: number; readonly sum: number; readonly squares: number };

/** After so many a class keeps its snapshot, so that comparing with all earlier ones stays cheap. */
const MOST_SNAPSHOTS = 24;

type Group = ReadonlyMap<string, Part>;

/** The snapshot of a class in a test, and who waits for the next one. */
export class Snapshot {
  readonly #questions: string[];
  readonly #changes: Parts[];
  readonly #waiting: Map<string, Part>;
  #shown: Group;

  constructor({ questions, shown, waiting }: StoredSnapshot = { questions: [], shown: [], waiting: {} }) {
    this.#questions = [...questions];
    this.#changes = [...shown];
    this.#waiting = new Map(Object.entries(waiting));
    this.#shown = groupsOf(shown).at(-1) ?? NOBODY;
  }

  /** `marks`: of the questions that may have changed. */
  change(studentId: string, total: Mark, marks: ReadonlyMap<string, Mark>): void {
    for (const question of marks.keys()) if (!this.#questions.includes(question)) this.#questions.push(question);
    const shown = this.#shown.get(studentId) ?? NOTHING;
    const was = this.#waiting.get(studentId) ?? shown;
    const part = [
      total,
      ...this.#questions.map((question, index) => (marks.has(question) ? (marks.get(question) ?? null) : at(was, index + 1))),
    ];
    if (part.every((mark, column) => mark === at(shown, column))) this.#waiting.delete(studentId);
    else this.#waiting.set(studentId, part);
  }

  /**
   * Shows as many of those who wait, without the `unfinished`, as the rule lets; whoever would be one of fewer than five waits on.
   *
   * @returns whether there is a new snapshot
   */
  settle(unfinished: ReadonlySet<string>): boolean {
    const coming = new Map(this.#inOrder().filter(([studentId]) => !unfinished.has(studentId)));
    const earlier = coming.size < FEWEST || this.#changes.length === MOST_SNAPSHOTS ? [] : groupsOf(this.#changes);
    for (let more = FEWEST; earlier.length > 0 && coming.size >= FEWEST && more > 0;) {
      const next = new Map([...this.#shown, ...coming]);
      const few = fewBetween(next, earlier);
      if (few.length === 0) {
        this.#changes.push(Object.fromEntries(coming));
        this.#shown = next;
        for (const studentId of coming.keys()) this.#waiting.delete(studentId);
        return true;
      }
      const held = few.filter((studentId) => coming.has(studentId));
      // The few are shown already: with others who stay as they were they may be five.
      if (held.length === 0) more -= 1;
      for (const studentId of held.length > 0 ? held : [...coming.keys()].slice(0, 1)) coming.delete(studentId);
    }
    return false;
  }

  get figures(): ShownFigures {
    const sums = [...this.#shown.values()].map(sumOf).filter((sum) => sum !== null);
    return {
      totals: this.#column(0).toSorted((a, b) => a - b),
      n: sums.length,
      ...powers(sums),
      questions: Object.fromEntries(
        this.#questions.map((question, index) => {
          const marks = this.#column(index + 1).filter((mark) => mark !== LEFT_OUT);
          return [question, { marked: marks.length, ...powers(marks) }];
        }),
      ),
    };
  }

  /** In one order, whatever came first. */
  get stored(): StoredSnapshot {
    return { questions: this.#questions, shown: this.#changes, waiting: Object.fromEntries(this.#inOrder()) };
  }

  /** Who is in it, with what. */
  get shown(): Group {
    return this.#shown;
  }

  #inOrder(): (readonly [string, Part])[] {
    return [...this.#waiting].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  #column(column: number): number[] {
    return [...this.#shown.values()].map((part) => at(part, column)).filter((mark) => mark !== null);
  }
}

const NOTHING: Part = [];
const NOBODY: Group = new Map();
const at = (part: Part, column: number): Mark => part[column] ?? null;
const powers = (values: readonly number[]) => ({
  sum: values.reduce((all, value) => all + value, 0),
  squares: values.reduce((all, value) => all + value * value, 0),
});
/** null: no marks */
const sumOf = ([, ...part]: Part): Mark => {
  const marks = part.filter((mark) => mark !== null);
  return marks.length === 0 ? null : marks.reduce((sum, mark) => sum + Math.max(0, mark), 0);
};

/** The snapshots so far, that of nobody first. */
const groupsOf = (changes: readonly Parts[]): readonly Group[] => {
  const groups: Group[] = [NOBODY];
  for (const change of changes) groups.push(new Map([...(groups.at(-1) ?? NOBODY), ...Object.entries(change)]));
  return groups;
};

/** The one to four students by whom a figure of `next` differs from one of an earlier snapshot, or of itself; none: it may be shown. */
const fewBetween = (next: Group, earlier: readonly Group[]): readonly string[] => {
  const students = [...next.keys()];
  const columns = Math.max(0, ...[...next.values()].map((part) => part.length - 1));
  const questions = Array.from({ length: columns }, (_, index) => [markIn(index + 1)]);
  for (const group of [...earlier, next])
    for (const figures of [TOTALS, ...questions])
      for (const one of figures)
        for (const other of figures) {
          const differing = students.filter((student) => one(next.get(student) ?? NOTHING) !== other(group.get(student) ?? NOTHING));
          if (differing.length > 0 && differing.length < FEWEST) return differing;
        }
  return [];
};
const markIn =
  (column: number) =>
  (part: Part): Mark =>
    at(part, column);
/** The totals of staff and the sums of the questions can be subtracted from each other. */
const TOTALS = [markIn(0), sumOf];
