import { canUsePasskeys } from '../../../parts/second-factor/can-use-passkeys.ts';
import { secondFactors } from '../../../store.ts';

/** The ways to set up another factor, as far as this address and this browser offer them. */
export function SetUpLinks({ next, isFirst = false }: { next?: string; isFirst?: boolean }) {
  const known = secondFactors.data.value;
  if (!known) return null;
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
  const hasApp = known.items.some(({ kind }) => kind === 'totp');
  const offersPasskeys = known.offered.includes('passkey');
  return (
    <>
      <div class="buttons">
        {!hasApp && (
          <a
            class={`button ${isFirst ? 'primary' : ''}`}
            href={`/dashboard/account/authenticator-app${query}`}
          >
            Set up an authenticator app
          </a>
        )}
        {offersPasskeys && canUsePasskeys() && (
          <a class="button" href={`/dashboard/account/passkey${query}`}>
            Add a passkey
          </a>
        )}
      </div>
      {!offersPasskeys && (
        <p class="hint">Passkeys need a relay with a name and https. At this address there are none.</p>
      )}
    </>
  );
}
