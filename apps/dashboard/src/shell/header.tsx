import { account } from '../request.ts';
import { place } from '../router.ts';
import { ThemeButton } from './theme-button.tsx';

const tabs = [
  ['/dashboard', 'Overview', /^\/dashboard$/],
  ['/dashboard/worlds', 'Worlds', /^\/dashboard\/(worlds(\/.*)?|pair)$/],
  ['/dashboard/sessions', 'Sessions', /^\/dashboard\/sessions/],
  ['/dashboard/keys', 'Keys', /^\/dashboard\/keys/],
  ['/dashboard/try', 'Try it', /^\/dashboard\/try/],
  ['/dashboard/activity', 'Activity', /^\/dashboard\/activity/],
  ['/dashboard/notifications', 'Notifications', /^\/dashboard\/notifications/],
  ['/dashboard/account', 'Account', /^\/dashboard\/account/],
] as const;

export function Header() {
  const { path } = place.value;
  return (
    <header class="head">
      <a class="brand" href="/dashboard">
        <Mark />
        Tabletop Relay
      </a>
      {account.value && account.value.secondFactor !== 'missing' && (
        <nav aria-label="Pages">
          {tabs.map(([href, word, here]) => (
            <a href={href} key={href} aria-current={here.test(path) ? 'page' : undefined}>
              {word}
            </a>
          ))}
        </nav>
      )}
      <a class="to-docs" href="/docs">
        Docs
      </a>
      <ThemeButton />
    </header>
  );
}

/** A die that sends. */
function Mark() {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" class="mark">
      <path d="M12 1l9.5 5.5v11L12 23l-9.5-5.5v-11z" />
      <path class="wave" d="M8 15.5a5.6 5.6 0 0 1 8 0M5.6 12.6a9 9 0 0 1 12.8 0" />
      <circle class="source" cx="12" cy="18" r="1.4" />
    </svg>
  );
}
