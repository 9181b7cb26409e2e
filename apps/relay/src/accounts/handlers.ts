import {
  accountEndpoints,
  administrationEndpoints,
  passwordEndpoints,
  secondFactorEndpoints,
  sessionEndpoints,
  signInEndpoints,
} from '@tabletop-relay/contract';
import { serve } from '../endpoint-handler.ts';
import type { ServedEndpoint } from '../endpoint-handler.ts';
import { accountHandlers } from './account.ts';
import type { AccountDeps } from './account.ts';
import { administrationHandlers } from './administration.ts';
import type { AdministrationDeps } from './administration.ts';
import { confirmEmailHandlers } from './mail/confirm-email.ts';
import type { ConfirmEmailDeps } from './mail/confirm-email.ts';
import { masterKeyHandlers } from './master-key.ts';
import type { MasterKeyDeps } from './master-key.ts';
import { passwordHandlers } from './passwords/password-handlers.ts';
import type { PasswordDeps } from './passwords/password-handlers.ts';
import { secondFactorHandlers } from './second-factors/second-factor-handlers.ts';
import type { SecondFactorDeps } from './second-factors/second-factor-handlers.ts';
import { sessionHandlers } from './sessions/session-handlers.ts';
import type { SessionDeps } from './sessions/session-handlers.ts';
import { signInHandlers } from './sign-in/sign-in.ts';
import type { SignInDeps } from './sign-in/sign-in.ts';

export type AccountsDeps = SignInDeps &
  PasswordDeps &
  AccountDeps &
  ConfirmEmailDeps &
  MasterKeyDeps &
  SecondFactorDeps &
  SessionDeps &
  AdministrationDeps;

/** The endpoints of this room. */
export function serveAccounts(deps: AccountsDeps): ServedEndpoint[] {
  return [
    ...serve(signInEndpoints, signInHandlers(deps)),
    ...serve(passwordEndpoints, passwordHandlers(deps)),
    ...serve(accountEndpoints, {
      ...accountHandlers(deps),
      ...confirmEmailHandlers(deps),
      ...masterKeyHandlers(deps),
    }),
    ...serve(secondFactorEndpoints, secondFactorHandlers(deps)),
    ...serve(sessionEndpoints, sessionHandlers(deps)),
    ...serve(administrationEndpoints, administrationHandlers(deps)),
  ];
}
