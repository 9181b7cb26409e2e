import { Page } from '../../parts/page.tsx';
import { account } from '../../request.ts';
import { Accounts } from './accounts.tsx';
import { Instances } from './instances.tsx';

/** The page of an administrator of the relay. */
export function AdminPage() {
  if (!account.value) return <main class="loading" aria-busy="true" />;
  if (!account.value.isAdministrator) {
    return (
      <Page title="Administration">
        <p>
          This page is for administrators of the relay. Its operator makes one with{' '}
          <code>pnpm admin make-administrator</code>.
        </p>
      </Page>
    );
  }
  return (
    <Page title="Administration">
      <Instances />
      <Accounts />
    </Page>
  );
}
