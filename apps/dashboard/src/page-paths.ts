/** For everybody. */
export const openPaths = [
  '/dashboard/sign-in',
  '/dashboard/register',
  '/dashboard/forgot-password',
  '/dashboard/reset-password',
  '/dashboard/confirm-email',
  '/oauth/refused',
] as const;

/** For who is signed in, and all that an administrator without a second factor may see. */
export const settingUpPaths = ['/dashboard/account/authenticator-app', '/dashboard/account/passkey'] as const;

/** For who is signed in; others sign in first and come back. */
export const signedInPaths = [
  ...settingUpPaths,
  '/dashboard',
  '/dashboard/worlds',
  '/dashboard/worlds/:id',
  '/dashboard/pair',
  '/dashboard/sessions',
  '/dashboard/sessions/new',
  '/dashboard/keys',
  '/dashboard/keys/new',
  '/dashboard/keys/:id',
  '/dashboard/keys/:id/edit',
  '/dashboard/assistants',
  '/dashboard/overlay',
  '/dashboard/try',
  '/dashboard/activity',
  '/dashboard/notifications',
  '/dashboard/account',
  '/dashboard/admin',
  '/dashboard/admin/trouble',
  '/pair/:code',
  '/approve/:code',
  '/oauth/consent',
] as const;
