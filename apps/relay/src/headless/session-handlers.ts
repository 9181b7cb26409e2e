import type { headlessEndpoints, InputOf } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import type { HandlersOf } from '../endpoint-handler.ts';
import type { Principal } from '../keys/authenticate.ts';
import type { MonthlyLimit } from '../keys/call-limits.ts';
import { invalidFields } from '../problem.ts';
import { endSession } from './end-session.ts';
import type { EndDeps } from './end-session.ts';
import type { Handshakes } from './handshakes/handshakes.ts';
import { holderOfKey } from './holder.ts';
import { checkTabletopAddress, readLogin } from './login.ts';
import type { Login } from './login.ts';
import { readActiveSessions } from './read-sessions.ts';
import { startSession } from './start/start-session.ts';
import type { StartDeps } from './start/start-session.ts';

export interface HeadlessDeps extends StartDeps, EndDeps {
  db: Database;
  handshakes: Handshakes;
  monthly: Pick<MonthlyLimit, 'spend' | 'count'>;
  /** Aborted when this instance goes away. */
  stop: AbortSignal;
}

export const headlessHandlers = (deps: HeadlessDeps): HandlersOf<typeof headlessEndpoints, Principal> => ({
  async handshake({ headers }, { principal }) {
    await countCall(deps, principal);
    const login = readHeaders(headers);
    await checkTabletopAddress(deps.guard, login.tabletopUrl);
    return await deps.handshakes.begin(holderOfKey(principal), login);
  },

  async startSession({ body }, { principal, sender, publicUrl }) {
    await countCall(deps, principal);
    const { started } = await startSession(deps, {
      holder: holderOfKey(principal),
      body,
      sender,
      relayUrl: moduleUrl(publicUrl),
      stop: deps.stop,
    });
    return { success: true, ...(await started) };
  },

  async endHeadlessSession({ query: { sessionId } }, { principal, sender }) {
    await countCall(deps, principal);
    const hasEnded = await endSession(deps, { holder: holderOfKey(principal), id: sessionId, sender });
    return { status: 'ok', message: hasEnded ? 'The session has ended.' : 'The session is ending.' };
  },

  async listActiveSessions(_input, { principal }) {
    await countCall(deps, principal);
    return { activeSessions: await readActiveSessions(deps.db, holderOfKey(principal)) };
  },
});

/** The address that modules connect to. */
export const moduleUrl = (publicUrl: string): string => `${publicUrl.replace(/^http/, 'ws')}/relay`;

async function countCall({ monthly }: Pick<HeadlessDeps, 'monthly'>, principal: Principal): Promise<void> {
  monthly.count(principal, await monthly.spend(principal));
}

type Headers = InputOf<(typeof headlessEndpoints)['handshake']>['headers'];

function readHeaders(headers: Headers & { 'x-foundry-url'?: string }): Login {
  const tabletopUrl = headers['x-tabletop-url'] ?? headers['x-foundry-url'];
  const username = headers['x-username'];
  const missing = [
    ...(tabletopUrl ? [] : [{ field: 'x-tabletop-url', message: 'is missing: the address of the tabletop' }]),
    ...(username ? [] : [{ field: 'x-username', message: 'is missing: the tabletop’s user' }]),
  ];
  if (!tabletopUrl || !username) throw invalidFields(missing);
  const worldName = headers['x-world-name'];
  // HTTP carries headers as Latin-1; programs that write UTF-8 into them mean that.
  return readLogin(
    { tabletopUrl, username: readUtf8(username), ...(worldName && { worldName: readUtf8(worldName) }) },
    { tabletopUrl: 'x-tabletop-url', username: 'x-username', worldName: 'x-world-name' },
  );
}

function readUtf8(text: string): string {
  const utf8 = Buffer.from(text, 'latin1').toString('utf8');
  return utf8.includes('\uFFFD') ? text : utf8;
}
