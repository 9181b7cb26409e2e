import { signal } from '@preact/signals';
import { Page } from '../../parts/page.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { navigate } from '../../router.ts';

/** A master key that was just made; it stays on the screen, whatever ends, until the person has stored it. */
export const newMasterKey = signal('');

export function NewMasterKeyPage() {
  const forget = () => (newMasterKey.value = '');
  const leave = () => {
    forget();
    navigate('/dashboard/sign-in', { replace: true });
  };
  return (
    <Page title="Your new master key" narrow>
      <p class="lead">All keys, browsers and sessions have ended. Sign in again to make new ones.</p>
      <SecretOnce what="Master key" value={newMasterKey.value} onStored={leave} onLeave={forget} />
    </Page>
  );
}
