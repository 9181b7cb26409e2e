import type { SettingsOf } from '@tabletop-relay/process';
import { createHashing } from '../credentials/passwords/hashing.ts';
import { readPasswordSettings } from '../credentials/passwords/password-settings.ts';
import type { passwordSettings } from '../credentials/passwords/password-settings.ts';
import { createPasswords } from '../credentials/passwords/password.ts';
import type { ServedEndpoint } from '../endpoint-handler.ts';
import { serveAccounts } from './handlers.ts';
import type { AccountsDeps } from './handlers.ts';
import { createSignInFailures } from './sign-in/sign-in-failures.ts';
import { createSignInGuard } from './sign-in/sign-in-guard.ts';
import { readGuardSettings, readStrangerSettings } from './sign-in/sign-in-settings.ts';
import type { signInSettings } from './sign-in/sign-in-settings.ts';
import { register } from './sign-in/sign-in.ts';
import { createStrangerLines } from './sign-in/stranger-lines.ts';

export interface AccountsRoomDeps extends Omit<
  AccountsDeps,
  'passwords' | 'failures' | 'guard' | 'registration'
> {
  settings: SettingsOf<typeof signInSettings & typeof passwordSettings>;
}

/** The accounts of an instance. */
export interface AccountsRoom {
  endpoints: ServedEndpoint[];
  /** Opens an account, even where registration is closed; resolves with a session's token. */
  register(credentials: { email: string; password: string }): Promise<string>;
}

/** Puts sign-in, its protection against guessing and the account endpoints together. */
export function createAccountsRoom({ settings, ...deps }: AccountsRoomDeps): AccountsRoom {
  const failures = createSignInFailures({ db: deps.db, secret: deps.secret, now: deps.now });
  const accounts: AccountsDeps = {
    ...deps,
    registration: settings.registration,
    passwords: createPasswords(readPasswordSettings(settings), createHashing(deps)),
    failures,
    guard: createSignInGuard({
      failures,
      lines: createStrangerLines(readStrangerSettings(settings)),
      settings: readGuardSettings(settings),
    }),
  };
  return {
    endpoints: serveAccounts(accounts),
    async register(credentials) {
      const sender = { ipAddress: '', userAgent: '' };
      return (await register(accounts, { ...credentials, sender })).session.token;
    },
  };
}
