import { Page } from '../../parts/page.tsx';

/** The page of an administrator, opened by somebody who is none. */
export function NotForYou({ title }: { title: string }) {
  return (
    <Page title={title}>
      <p>
        This page is for administrators of the relay. Its operator makes one with{' '}
        <code>pnpm admin make-administrator</code>.
      </p>
    </Page>
  );
}
