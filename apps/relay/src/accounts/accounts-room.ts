import type { SettingsOf } from '@tabletop-relay/process';
import { createHashing } from '../credentials/passwords/hashing.ts';
import { readPasswordSettings } from '../credentials/passwords/password-settings.ts';
import type { passwordConstants, passwordSettings } from '../credentials/passwords/password-settings.ts';
import { createSealer } from '@tabletop-relay/database';
import { createPasswords } from '../credentials/passwords/password.ts';
import type { ServedEndpoint } from '../endpoint-handler.ts';
import { eraseDeleted } from './erase-deleted.ts';
import { serveAccounts } from './handlers.ts';
import type { AccountsDeps } from './handlers.ts';
import { createPasswordRule } from './passwords/password-rule.ts';
import { createCheckSecondFactor } from './second-factors/check-second-factor.ts';
import { hasSecondFactor } from './second-factors/factors.ts';
import { createOneTimeTokens } from './second-factors/one-time-tokens.ts';
import type { SecondFactorSettings } from './second-factors/second-factor-constants.ts';
import { createSignInFailures } from './sign-in/sign-in-failures.ts';
import { createSignInGuard } from './sign-in/sign-in-guard.ts';
import { readGuardSettings } from './sign-in/sign-in-settings.ts';
import type { signInSettings } from './sign-in/sign-in-settings.ts';
import { createSignInLinks } from './sign-in/sign-in-link.ts';
import { register, serveSignInLinks } from './sign-in/sign-in.ts';

/** The parts that this function makes. */
type Made =
  | 'passwords'
  | 'checkNewPassword'
  | 'failures'
  | 'guard'
  | 'registration'
  | 'checkSecondFactor'
  | 'tokens'
  | 'sealer'
  | 'setupMs';

export interface AccountsRoomDeps extends Omit<AccountsDeps, Made> {
  settings: SettingsOf<typeof signInSettings & typeof passwordSettings> &
    typeof passwordConstants &
    SecondFactorSettings;
  /** Whether links sign in: for an instance that one person started on a machine for themselves. */
  signInLinks?: boolean | undefined;
}

/** The accounts of an instance. */
export interface AccountsRoom {
  endpoints: ServedEndpoint[];
  /** Opens an account, even where registration is closed; resolves with a session's token. */
  register(credentials: { email: string; password: string }): Promise<string>;
  /** The secret of a link that signs in once, within ten minutes; undefined where no links sign in, or there is no such account. */
  createSignInLink(email: string): Promise<string | undefined>;
}

/** Puts sign-in, its protection against guessing and the account endpoints together. */
export function createAccountsRoom({ settings, signInLinks, ...deps }: AccountsRoomDeps): AccountsRoom {
  const links = signInLinks ? createSignInLinks() : undefined;
  const failures = createSignInFailures({ db: deps.db, secrets: deps.secrets, now: deps.now });
  const guard = createSignInGuard({
    failures,
    settings: readGuardSettings(settings),
  });
  const accounts: AccountsDeps = {
    ...deps,
    ...createSecondFactors({ ...deps, guard }, settings),
    registration: settings.registration,
    passwords: createPasswords(
      readPasswordSettings(settings),
      createHashing({ log: deps.log, niceness: settings.hashingNiceness }),
    ),
    checkNewPassword: createPasswordRule(deps.mailUrl),
    failures,
    guard,
  };
  // What an instance that crashed left.
  void eraseDeleted(deps);
  return {
    endpoints: [...serveAccounts(accounts), ...(links ? serveSignInLinks(accounts, links) : [])],
    async register(credentials) {
      const sender = { ipAddress: '', userAgent: '' };
      return (await register(accounts, { ...credentials, sender })).session.token;
    },
    async createSignInLink(email) {
      const account = await deps.db
        .selectFrom('accounts')
        .select('id')
        .select(hasSecondFactor.as('hasSecondFactor'))
        .where('email', '=', email)
        .executeTakeFirst();
      return account && !account.hasSecondFactor ? links?.make(account.id) : undefined;
    },
  };
}

function createSecondFactors(
  deps: Omit<AccountsRoomDeps, 'settings'> & Pick<AccountsDeps, 'guard'>,
  settings: SecondFactorSettings,
): Pick<AccountsDeps, 'checkSecondFactor' | 'tokens' | 'sealer' | 'setupMs'> {
  const { secondFactorChallengeMs: challengeMs, secondFactorSetupMs: setupMs } = settings;
  const sealer = createSealer(deps.secrets);
  const tokens = createOneTimeTokens({
    sealer,
    longestMs: Math.max(challengeMs, setupMs),
    maxUsed: settings.secondFactorAnswersPerAccount,
    now: deps.now,
  });
  const checkSecondFactor = createCheckSecondFactor({ ...deps, tokens, sealer, challengeMs });
  return { checkSecondFactor, tokens, sealer, setupMs };
}
