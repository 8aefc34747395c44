/** A tree as a list: parents before their descendants. */
export type TreeNode = {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  /** Text to compare for suggestions, if the name says more than the topic. */
  readonly topic?: string;
  /** A heading: it can be opened, not chosen. */
  readonly heading?: boolean;
};

/** A visible line of the tree. */
export type TreeLine = {
  readonly node: TreeNode;
  /** from 1 */
  readonly level: number;
  readonly hasChildren: boolean;
  readonly open: boolean;
  /** among its siblings, from 1 */
  readonly place: number;
  readonly siblings: number;
};

/** The visible lines: what is open or, during a search, the matches with their ancestors. */
export const linesOf = (nodes: readonly TreeNode[], open: ReadonlySet<string>, search: string): readonly TreeLine[] => {
  const children = Map.groupBy(nodes, ({ parentId }) => parentId);
  const found = search.trim() === '' ? undefined : foundIn(nodes, search);
  const below = (parentId: string | null, level: number): TreeLine[] => {
    const shown = (children.get(parentId) ?? []).filter(({ id }) => !found || found.has(id));
    return shown.flatMap((node, index) => {
      const hasChildren = (children.get(node.id) ?? []).some(({ id }) => !found || found.has(id));
      const isOpen = hasChildren && (found !== undefined || open.has(node.id));
      const line: TreeLine = { node, level, hasChildren, open: isOpen, place: index + 1, siblings: shown.length };
      return isOpen ? [line, ...below(node.id, level + 1)] : [line];
    });
  };
  return below(null, 1);
};

/** Nodes whose name contains every word of the search, with their ancestors and descendants. */
const foundIn = (nodes: readonly TreeNode[], search: string): ReadonlySet<string> => {
  const words = search.trim().toLowerCase().split(/\s+/);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const hits = new Set(nodes.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word))).map(({ id }) => id));
  const found = new Set<string>();
  for (const node of nodes) {
    const way = [node.id, ...ancestorsOf(node, byId)];
    if (way.some((id) => hits.has(id))) found.add(node.id);
    if (hits.has(node.id)) for (const id of way) found.add(id);
  }
  return found;
};

export const ancestorsOf = (node: TreeNode, byId: ReadonlyMap<string, TreeNode>): readonly string[] => {
  const ancestors: string[] = [];
  for (let at = node.parentId; at !== null; at = byId.get(at)?.parentId ?? null) ancestors.push(at);
  return ancestors;
};

/** 'Number > Fractions > Adding fractions' */
export const wayTo = (node: TreeNode, byId: ReadonlyMap<string, TreeNode>): string =>
  [...ancestorsOf(node, byId)]
    .reverse()
    .concat(node.id)
    .map((id) => byId.get(id)?.name ?? '')
    .join(' › ');

/** What a key does on a line: focus another line, or open or close one. Undefined: not a key of the tree. */
export type TreeMove = { readonly focus: number } | { readonly toggle: string };

/** The keys of the ARIA tree pattern. */
export const moveOf = (key: string, lines: readonly TreeLine[], at: number): TreeMove | undefined => {
  const line = lines[at];
  if (!line) return undefined;
  const last = lines.length - 1;
  switch (key) {
    case 'ArrowDown':
      return { focus: Math.min(at + 1, last) };
    case 'ArrowUp':
      return { focus: Math.max(at - 1, 0) };
    case 'Home':
      return { focus: 0 };
    case 'End':
      return { focus: last };
    case 'ArrowRight':
      if (line.hasChildren && !line.open) return { toggle: line.node.id };
      return { focus: line.open ? at + 1 : at };
    case 'ArrowLeft': {
      if (line.open) return { toggle: line.node.id };
      const parent = lines.findIndex(({ node }) => node.id === line.node.parentId);
      return { focus: parent < 0 ? at : parent };
    }
    default:
      return undefined;
  }
};
