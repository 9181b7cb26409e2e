import { addresses, pathOf } from '@tabletop-relay/contract';
import { Page } from '../../parts/page.tsx';
import { Ago } from '../../parts/ago.tsx';
import { account, api } from '../../request.ts';
import { useAction } from '../../use-action.ts';
import { ProblemNotice } from '../../parts/problem.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { MasterKey } from './master-key.tsx';
import { Password } from './password.tsx';
import { Sessions } from './sessions.tsx';

export function AccountPage() {
  const me = account.value;
  const { run, isBusy, problem } = useAction(async () => {
    await api.logout();
    account.value = null;
  });
  if (!me) return null;
  return (
    <Page
      title="Account"
      actions={
        <button type="button" disabled={isBusy.value} onClick={() => void run()}>
          Sign out
        </button>
      }
    >
      <ProblemNotice problem={problem.value} />
      <p class="lead">
        {me.email}
        {me.isAdministrator && ', administrator'}, opened <Ago at={me.createdAt} />
      </p>
      <Sessions />
      <Password />
      <MasterKey me={me} />
      <section>
        <h2>Export</h2>
        <p>All that is stored of you, but the hashes of your secrets, as one JSON file.</p>
        <a class="button" href={pathOf(addresses.exportAccount)} download>
          Download export
        </a>
      </section>
      <DeleteAccount />
    </Page>
  );
}
