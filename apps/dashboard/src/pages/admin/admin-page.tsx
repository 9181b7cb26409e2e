import { Page } from '../../parts/page.tsx';
import { account } from '../../request.ts';
import { Accounts } from './accounts.tsx';
import { Instances } from './instances.tsx';
import { NotForYou } from './not-for-you.tsx';

/** The page of an administrator of the relay. */
export function AdminPage() {
  if (!account.value) return <main class="loading" aria-busy="true" />;
  if (!account.value.isAdministrator) return <NotForYou title="Administration" />;
  return (
    <Page
      title="Administration"
      actions={
        <a class="button" href="/dashboard/admin/trouble">
          Trouble
        </a>
      }
    >
      <Instances />
      <Accounts />
    </Page>
  );
}
