import type { ComponentChildren } from 'preact';
import type { Resource } from '../resource.ts';
import { ProblemNotice } from './problem.tsx';

interface ListedProps<T> {
  of: Resource<T[]>;
  /** Shown in place of an empty list: how to get a first entry. */
  empty: ComponentChildren;
  children: (items: T[]) => ComponentChildren;
}

/** A list that is read: room is held while it loads, and old items stay when reading again fails. */
export function Listed<T>({ of, empty, children }: ListedProps<T>) {
  const items = of.data.value;
  return (
    <>
      <ProblemNotice problem={of.problem.value} />
      {items === undefined && !of.problem.value && <div class="loading" aria-busy="true" />}
      {items && (items.length === 0 ? empty : children(items))}
    </>
  );
}
