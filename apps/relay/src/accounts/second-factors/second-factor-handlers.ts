import type { secondFactorEndpoints } from '@tabletop-relay/contract';
import type { Sealer } from '@tabletop-relay/database';
import type { Caller, HandlersOf, SessionPrincipal } from '../../endpoint-handler.ts';
import { ProblemError, invalidFields } from '../../problem.ts';
import type { Records } from '../../records/records.ts';
import { verifyPassword } from '../credentials-check.ts';
import type { VerifyPasswordDeps } from '../credentials-check.ts';
import { addFactor, setupInvalid } from './add-factor.ts';
import type { AddFactorDeps } from './add-factor.ts';
import { makeRecoveryCodes, removeFactor, renameFactor } from './change-factors.ts';
import type { ChangeFactorsDeps } from './change-factors.ts';
import { listSecondFactors } from './factors.ts';
import { passkeySite } from './passkey-site.ts';
import type { PasskeySite } from './passkey-site.ts';
import { passkeyCreation, readNewPasskey } from './passkeys.ts';
import { findStep, newTotp, totpContext } from './totp.ts';

export interface SecondFactorDeps extends VerifyPasswordDeps, AddFactorDeps, ChangeFactorsDeps {
  records: Pick<Records, 'audit' | 'auditIn'>;
  sealer: Sealer;
  setupMs: number;
}

type Endpoints = typeof secondFactorEndpoints;
type SignedIn = Caller & { session: SessionPrincipal };

/** A set-up is good in the session that began it. */
const setupContext = (kind: string, { accountId, sessionId }: SessionPrincipal) =>
  `setup ${kind} ${accountId} ${sessionId}`;

const codeWrong = () =>
  invalidFields([{ field: 'code', message: 'is wrong: look at the clock of your device' }]);

const totpHandlers = (deps: SecondFactorDeps): HandlersOf<Pick<Endpoints, 'beginTotp' | 'confirmTotp'>> => ({
  async beginTotp({ body }, caller) {
    const { session } = caller;
    await verifyPassword(deps, caller, { ...body, purpose: 'beginTotp' });
    const { secret, uri } = newTotp(session.email);
    const setup = deps.tokens.issue(setupContext('totp', session), secret, deps.setupMs);
    return { setup: setup.token, secret, uri, expiresAt: setup.expiresAt.toISOString() };
  },

  async confirmTotp({ body: { setup, code } }, { session, sender, publicUrl }) {
    const secret = deps.tokens.read(setupContext('totp', session), setup);
    if (secret === undefined) throw setupInvalid();
    const lastStep = findStep(secret, code, deps.now());
    if (lastStep === undefined) throw codeWrong();
    const sealedSecret = deps.sealer.seal(secret, totpContext(session.accountId));
    const factor = { kind: 'totp', name: 'Authenticator app', sealedSecret, lastStep } as const;
    return await addFactor(deps, { session, setup, factor, sender, publicUrl });
  },
});

const passkeyHandlers = (
  deps: SecondFactorDeps,
): HandlersOf<Pick<Endpoints, 'beginPasskey' | 'confirmPasskey'>> => ({
  async beginPasskey({ body }, caller) {
    const { session } = caller;
    const site = siteOf(caller);
    await verifyPassword(deps, caller, { ...body, purpose: 'beginPasskey' });
    const { token, expiresAt } = deps.tokens.issue(setupContext('passkey', session), '', deps.setupMs);
    const account = { id: session.accountId, email: session.email };
    const options = await passkeyCreation(deps.db, { account, site, challenge: token });
    return { setup: token, options: { ...options }, expiresAt: expiresAt.toISOString() };
  },

  async confirmPasskey({ body: { setup, name, credential } }, caller) {
    const { session, sender, publicUrl } = caller;
    const site = siteOf(caller);
    if (deps.tokens.read(setupContext('passkey', session), setup) === undefined) throw setupInvalid();
    const passkey = await readNewPasskey(credential, { site, challenge: setup });
    if (!passkey) {
      throw invalidFields([
        { field: 'credential', message: 'is not an answer to this set-up of this address' },
      ]);
    }
    const factor = { kind: 'passkey', name, ...passkey } as const;
    return await addFactor(deps, { session, setup, factor, sender, publicUrl });
  },
});

function siteOf({ publicUrl }: SignedIn): PasskeySite {
  const site = passkeySite(publicUrl);
  if (!site) {
    throw new ProblemError(
      'conflict',
      'Passkeys need https or localhost: browsers do not offer them at this address.',
    );
  }
  return site;
}

export const secondFactorHandlers = (deps: SecondFactorDeps): HandlersOf<Endpoints> => ({
  ...totpHandlers(deps),
  ...passkeyHandlers(deps),

  listSecondFactors: (_input, { session, publicUrl }) => listSecondFactors(deps.db, session, publicUrl),

  renameSecondFactor: ({ params: { id }, body: { name } }, { session, sender, publicUrl }) =>
    renameFactor(deps, { session, id, name, sender, publicUrl }),

  async removeSecondFactor({ params: { id }, body }, caller) {
    const { session, sender } = caller;
    const account = await verifyPassword(deps, caller, { ...body, purpose: 'removeSecondFactor' });
    await removeFactor(deps, { id, account, email: session.email, sender });
    return {};
  },

  async makeRecoveryCodes({ body }, caller) {
    const { session, sender } = caller;
    const account = await verifyPassword(deps, caller, { ...body, purpose: 'makeRecoveryCodes' });
    return { recoveryCodes: await makeRecoveryCodes(deps, { account, email: session.email, sender }) };
  },
});
