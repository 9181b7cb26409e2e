import { addresses, pathOf } from '@tabletop-relay/contract';
import { Page } from '../../parts/page.tsx';
import { Ago } from '../../parts/ago.tsx';
import { account } from '../../request.ts';
import { DeleteAccount } from './delete-account.tsx';
import { MasterKey } from './master-key.tsx';
import { Password } from './password.tsx';
import { SecondFactors } from './second-factor/lazy-second-factor.tsx';
import { Sessions } from './sessions.tsx';
import { SignOut } from './sign-out.tsx';

export function AccountPage() {
  const me = account.value;
  if (!me) return <main class="loading" aria-busy="true" />;
  return (
    <Page title="Account" actions={<SignOut />}>
      <p class="lead">
        {me.email}
        {me.isAdministrator && ', administrator'}, opened <Ago at={me.createdAt} />
      </p>
      <Sessions />
      <Password />
      <SecondFactors />
      <MasterKey me={me} />
      <section>
        <h2>Export</h2>
        <p>
          Everything that this relay stores about you, as one JSON file. Only the hashes of passwords and keys
          are left out.
        </p>
        <a class="button" href={pathOf(addresses.exportAccount)} download>
          Download export
        </a>
      </section>
      <DeleteAccount />
    </Page>
  );
}
