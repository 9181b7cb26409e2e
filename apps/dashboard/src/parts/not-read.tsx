import type { RelayError } from '@tabletop-relay/sdk';
import type { ComponentChildren } from 'preact';
import { Page } from './page.tsx';
import { ProblemNotice } from './problem.tsx';

interface NotReadProps {
  title: string;
  problem: RelayError | undefined;
  narrow?: boolean;
  /** Cure of the problem. */
  children?: ComponentChildren;
}

/** In place of a page, as long as what it shows is not read, or where it could not be. */
export function NotRead({ title, problem, narrow = false, children }: NotReadProps) {
  if (!problem) return <main class="loading" aria-busy="true" />;
  return (
    <Page title={title} narrow={narrow}>
      <ProblemNotice problem={problem} />
      {children}
    </Page>
  );
}
