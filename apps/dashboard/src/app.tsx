import type { ComponentChild } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { startLive } from './live/live.ts';
import { AccountPage } from './pages/account/account-page.tsx';
import { LazyAdminPage, LazyTroublePage } from './pages/admin/lazy-admin-page.ts';
import { LazyActivityPage } from './pages/activity/lazy-activity-page.tsx';
import { LazyAssistantsPage } from './pages/assistants/lazy-assistants-page.ts';
import { ApprovePage } from './pages/approve/approve-page.tsx';
import { ConfirmEmailPage } from './pages/entry/confirm-email.tsx';
import { ForgotPasswordPage } from './pages/entry/forgot-password.tsx';
import { RegisterPage } from './pages/entry/register.tsx';
import { ResetPasswordPage } from './pages/entry/reset-password.tsx';
import { SignInPage } from './pages/entry/sign-in.tsx';
import { EditKeyPage } from './pages/keys/edit-key.tsx';
import { LazyConsentPage, LazyRefusedPage } from './pages/consent/lazy-consent-pages.ts';
import { LazyKeyPage } from './pages/keys/one-key/lazy-key-page.tsx';
import { KeysPage } from './pages/keys/keys-page.tsx';
import { NewKeyPage } from './pages/keys/new-key.tsx';
import { forgetCodes } from './pages/pair/codes.ts';
import { PairPage } from './pages/pair/pair-page.tsx';
import { LazyNewSessionPage, LazySessionsPage } from './pages/sessions/lazy-sessions.ts';
import { LazyOverlayPage } from './pages/overlay/lazy-overlay-page.ts';
import { LazyPairRequestPage } from './pages/pair-request/lazy-pair-request-page.tsx';
import { LazyNotificationsPage } from './pages/notifications/lazy-notifications-page.tsx';
import { LazyTonightPage } from './pages/overview/lazy-overviews.tsx';
import { LazyTryPage } from './pages/try-it/lazy-try-page.tsx';
import { WorldPage } from './pages/worlds/world-page.tsx';
import { WorldsPage } from './pages/worlds/worlds-page.tsx';
import { Announcer } from './parts/announcer.tsx';
import { NewMasterKeyPage, newMasterKey } from './pages/account/new-master-key.tsx';
import {
  MissingFactorPage,
  RecoveryCodesPage,
  SetUpAppPage,
  SetUpPasskeyPage,
} from './pages/account/second-factor/lazy-second-factor.tsx';
import { newRecoveryCodes } from './pages/account/second-factor/new-recovery-codes.ts';
import { NotKnown } from './parts/not-known.tsx';
import { Page, focusTitle } from './parts/page.tsx';
import type { openPaths, settingUpPaths, signedInPaths } from './page-paths.ts';
import { account } from './request.ts';
import { isFirstPage, match, navigate, place } from './router.ts';
import { Header } from './shell/header.tsx';
import { LeaveQuestion } from './shell/leave-question.tsx';
import { Warnings } from './shell/warnings.tsx';
import { forgetPageKeys } from './page-keys.ts';
import { accountProblem, forgetAll, isIn } from './store.ts';

type Show = (parts: Record<string, string>) => ComponentChild;
type Routes<Path extends string> = Readonly<Record<Path, Show>>;

const open: Routes<(typeof openPaths)[number]> = {
  '/dashboard/sign-in': () => <SignInPage />,
  '/dashboard/register': () => <RegisterPage />,
  '/dashboard/forgot-password': () => <ForgotPasswordPage />,
  '/dashboard/reset-password': () => <ResetPasswordPage />,
  '/dashboard/confirm-email': () => <ConfirmEmailPage />,
  '/oauth/refused': () => <LazyRefusedPage />,
};

const settingUp: Routes<(typeof settingUpPaths)[number]> = {
  '/dashboard/account/authenticator-app': () => <SetUpAppPage />,
  '/dashboard/account/passkey': () => <SetUpPasskeyPage />,
};

/** Of two that fit, the first counts. */
const signedIn: Routes<(typeof signedInPaths)[number]> = {
  ...settingUp,
  '/dashboard': () => <LazyTonightPage />,
  '/dashboard/worlds': () => <WorldsPage />,
  '/dashboard/worlds/:id': ({ id = '' }) => <WorldPage clientId={id} key={id} />,
  '/dashboard/pair': () => <PairPage />,
  '/dashboard/sessions': () => <LazySessionsPage />,
  '/dashboard/sessions/new': () => <LazyNewSessionPage />,
  '/dashboard/keys': () => <KeysPage />,
  '/dashboard/keys/new': () => <NewKeyPage />,
  '/dashboard/keys/:id': ({ id = '' }) => <LazyKeyPage id={id} key={id} />,
  '/dashboard/keys/:id/edit': ({ id = '' }) => <EditKeyPage id={id} key={id} />,
  '/dashboard/assistants': () => <LazyAssistantsPage />,
  '/dashboard/overlay': () => <LazyOverlayPage />,
  '/dashboard/try': () => <LazyTryPage />,
  '/dashboard/activity': () => <LazyActivityPage />,
  '/dashboard/notifications': () => <LazyNotificationsPage />,
  '/dashboard/account': () => <AccountPage />,
  '/dashboard/admin': () => <LazyAdminPage />,
  '/dashboard/admin/trouble': () => <LazyTroublePage />,
  '/pair/:code': ({ code = '' }) => <LazyPairRequestPage code={code} key={code} />,
  '/oauth/consent': () => <LazyConsentPage />,
  '/approve/:code': ({ code = '' }) => <ApprovePage code={code} key={code} />,
};

export function App() {
  const { path } = place.value;
  const isSomebodyIn = isIn.value;
  useEffect(() => {
    if (!isSomebodyIn) return undefined;
    const stop = startLive();
    return () => {
      stop();
      forgetAll();
      forgetPageKeys();
      forgetCodes();
    };
  }, [isSomebodyIn]);
  useFocusOnNavigation(path);
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Header />
      <Warnings />
      <Screen path={path} />
      <LeaveQuestion />
      <Announcer />
    </>
  );
}

function Screen({ path }: { path: string }) {
  if (newMasterKey.value) return <NewMasterKeyPage />;
  const shown = find(open, path);
  if (shown) return <>{shown}</>;
  if (account.value === null) return <ToSignIn />;
  if (newRecoveryCodes.value) return <RecoveryCodesPage />;
  if (account.value?.secondFactor === 'missing') return <>{find(settingUp, path) ?? <MissingFactorPage />}</>;
  if (!isIn.value || (account.value === undefined && accountProblem.value)) return <NotKnown />;
  return <>{find(signedIn, path) ?? <NothingHere />}</>;
}

function find(routes: Readonly<Record<string, Show>>, path: string): ComponentChild {
  for (const [pattern, show] of Object.entries(routes)) {
    const parts = match(pattern, path);
    if (parts) return show(parts);
  }
  return undefined;
}

function ToSignIn() {
  useEffect(() => {
    const { path, search } = place.peek();
    const next = path === '/dashboard' ? '' : `?next=${encodeURIComponent(path + search)}`;
    navigate(`/dashboard/sign-in${next}`, { replace: true });
  }, []);
  return null;
}

function NothingHere() {
  return (
    <Page title="Nothing here">
      <p>
        There is no page at this address. Go to <a href="/dashboard">Tonight</a> or to{' '}
        <a href="/dashboard/worlds">your worlds</a>.
      </p>
    </Page>
  );
}

/**
 * Moves the focus to each new page. A layout effect, so that a key pressed right after the page appears already starts at
 * the title.
 */
function useFocusOnNavigation(path: string): void {
  useLayoutEffect(() => {
    if (!isFirstPage()) focusTitle();
  }, [path]);
}
