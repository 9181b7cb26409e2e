import { useRef } from 'preact/hooks';
import { SignOut } from '../pages/account/sign-out.tsx';
import { account } from '../request.ts';
import { place } from '../router.ts';

const id = 'account-menu';

const ours = /^\/dashboard\/(account|notifications|admin)/;

/** Menu of the person: account, notifications, sign-out. */
export function AccountMenu() {
  const menu = useRef<HTMLDivElement>(null);
  const me = account.value;
  if (me === null) return null;
  const isHere = ours.test(place.value.path);
  return (
    <>
      <button
        type="button"
        class="quiet account-button"
        popovertarget={id}
        aria-label={me ? `Account of ${me.email}` : 'Account'}
        data-here={isHere || undefined}
      >
        Account
        <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
          <path d="M2.5 4.5L6 8l3.5-3.5" />
        </svg>
      </button>
      <div id={id} class="menu" popover ref={menu} onClick={() => menu.current?.hidePopover()}>
        {me && <p class="muted">{me.email}</p>}
        <a href="/dashboard/account">Account</a>
        <a href="/dashboard/notifications">Notifications</a>
        {me?.isAdministrator && me.secondFactor !== 'missing' && (
          <a href="/dashboard/admin">Administration</a>
        )}
        <SignOut isQuiet />
      </div>
    </>
  );
}
