/** A group of waiting tasks: an address prefix or an account. Each group of a path lies within the one before it. */
export interface Group {
  key: string;
  /** How many tasks of the group may wait; if absent, as many as of the group around it. */
  max?: number;
}

/**
 * A bounded queue in which groups take turns, and so do the groups within each. Ten tasks of one group together get as
 * many turns as a single task of another. No path may be the beginning of another.
 */
export interface FairQueue<T> {
  readonly size: number;
  /** Adds a task. Returns the task that was removed to make room: the last of the longest group. */
  add(path: readonly Group[], item: T): T | undefined;
  /** How many tasks of a first group wait. */
  sizeOf(key: string): number;
  /** Removes and returns the task whose turn it is: of all, or of one first group. */
  take(key?: string): T | undefined;
  /** Removes and returns the last task of the longest group. */
  takeLast(): T | undefined;
  /** Removes a task that no longer waits. */
  remove(path: readonly Group[], item: T): void;
}

interface Node<T> {
  key: string;
  parent: Node<T> | undefined;
  max: number;
  size: number;
  /** The groups in the order of their turns. */
  groups: Map<string, Node<T>>;
  items: T[];
}

export function createFairQueue<T>(max: number): FairQueue<T> {
  const root: Node<T> = { key: '', parent: undefined, max, size: 0, groups: new Map(), items: [] };
  return {
    get size() {
      return root.size;
    },
    add(path, item) {
      const nodes = openPath(root, path);
      nodes.at(-1)?.items.push(item);
      for (const node of nodes) node.size++;
      const full = nodes.findLast((node) => node.size > node.max);
      return full && dropLast(full, new Set(nodes));
    },
    sizeOf: (key) => root.groups.get(key)?.size ?? 0,
    take(key) {
      const first = key === undefined ? root.groups.values().next().value : root.groups.get(key);
      return first && takeFirst(root, first);
    },
    takeLast: () => (root.size === 0 ? undefined : dropLast(root, new Set())),
    remove(path, item) {
      let node: Node<T> | undefined = root;
      for (const { key } of path) node = node?.groups.get(key);
      const index = node?.items.indexOf(item) ?? -1;
      if (!node || index === -1) return;
      node.items.splice(index, 1);
      shrink(node);
    },
  };
}

function openPath<T>(root: Node<T>, path: readonly Group[]): Node<T>[] {
  const nodes = [root];
  let parent = root;
  for (const { key, max = parent.max } of path) {
    let node = parent.groups.get(key);
    if (!node) {
      node = { key, parent, max, size: 0, groups: new Map(), items: [] };
      parent.groups.set(key, node);
    }
    nodes.push(node);
    parent = node;
  }
  return nodes;
}

function takeFirst<T>(root: Node<T>, first: Node<T>): T {
  let node = first;
  const path = [root, first];
  while (node.items.length === 0) {
    node = node.groups.values().next().value as Node<T>;
    path.push(node);
  }
  const item = node.items.shift() as T;
  shrink(node);
  for (const [index, group] of path.slice(1).entries()) {
    // The group goes to the end of the round. An empty group has been removed already.
    const groups = path[index]?.groups;
    if (groups?.delete(group.key)) groups.set(group.key, group);
  }
  return item;
}

function dropLast<T>(from: Node<T>, newcomer: ReadonlySet<Node<T>>): T {
  let node = from;
  while (node.groups.size > 0) node = longestOf(node.groups, newcomer);
  const item = node.items.pop() as T;
  shrink(node);
  return item;
}

/**
 * Of equally long groups the one whose turn comes last loses a task, because it has waited least. The newcomer's own group
 * loses it before its equals, unless the newcomer is alone in it.
 */
function longestOf<T>(groups: ReadonlyMap<string, Node<T>>, newcomer: ReadonlySet<Node<T>>): Node<T> {
  let longest: Node<T> | undefined;
  let own: Node<T> | undefined;
  for (const group of groups.values()) {
    if (newcomer.has(group)) own = group;
    else if (group.size >= (longest?.size ?? 0)) longest = group;
  }
  if (!longest || !own) return (longest ?? own) as Node<T>;
  const isOwn = own.size > 1 && own.size >= longest.size;
  return isOwn ? own : longest;
}

/** Counts one task less in a group and in those around it. Empty groups are removed. */
function shrink<T>(from: Node<T>): void {
  for (let node: Node<T> | undefined = from; node; node = node.parent) {
    node.size--;
    if (node.size === 0) node.parent?.groups.delete(node.key);
  }
}
