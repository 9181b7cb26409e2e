import { openUnder } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { askForToken, lookUntil, readSession } from '@tabletop-relay/headless';
import type { ModuleAccess, Run, SessionNotices, SessionRow } from '@tabletop-relay/headless';
import { isLoopbackHost } from '@tabletop-relay/process';
import { StageFailure } from '../adapters/adapter.ts';
import type { Adapter } from '../adapters/adapter.ts';
import type { SessionPage } from '../browser/open-page.ts';
import type { RunningSession } from '../sessions/running-session.ts';
import { documentAt, placeOf } from './place.ts';
import { toTexts } from './world-texts.ts';

/** The relay's answer to what the page tells of its world. Throws `StageFailure` where none comes in time. */
async function askForAccess(
  { db, notices, session, timeoutMs }: ModuleDeps,
  world: Record<string, string>,
): Promise<ModuleAccess> {
  const known = openAccess(session);
  if (known) return known;
  await askForToken(db, session, world);
  const look = async () => {
    const row = await readSession(db, session);
    return row && openAccess(row);
  };
  const given = await lookUntil(notices, { sessionId: session.id, withinMs: timeoutMs }, look);
  if (given) return given;
  throw new StageFailure('The relay gave no token: the instance that started the session went away.');
}

function openAccess({ sealKey, sealedToken }: SessionRow): ModuleAccess | undefined {
  const opened = sealKey && sealedToken ? openUnder(sealKey, sealedToken) : undefined;
  return opened === undefined ? undefined : (JSON.parse(opened) as ModuleAccess);
}

export interface ModuleDeps {
  db: Database;
  notices: SessionNotices;
  session: SessionRow & Run;
  running: Pick<RunningSession, 'written' | 'writing'>;
  opened: SessionPage;
  adapter: Adapter;
  timeoutMs: number;
}

/**
 * Gives the module in the page its token. The module sends the token to the address in the world's settings, so nothing is
 * written where that is not ours, or the world is another account's. `running` learns what of the world's own settings was
 * written. Throws `StageFailure`.
 */
export async function writeModule(deps: ModuleDeps): Promise<ModuleAccess> {
  const { session, running, opened, adapter } = deps;
  const { page, proxy } = opened;
  const place = placeOf(session.tabletopUrl);
  const read = await adapter.module.read(await documentAt(page, place));
  const { world, clientId, pairedRelayUrl, isGameMaster } = toTexts(read);
  const said = { ...world, clientId, origin: place };
  const access = await askForAccess(deps, said);
  if (pairedRelayUrl && !isSameRelay(pairedRelayUrl, access.relayUrl)) {
    throw new StageFailure(`This world is paired with another relay: ${pairedRelayUrl.slice(0, 200)}.`);
  }
  if (clientId && clientId !== access.clientId) {
    throw new StageFailure('This world is paired as another world than the relay knows it as.');
  }
  const missing = {
    ...(!clientId && { clientId: access.clientId }),
    ...(!pairedRelayUrl && { pairedRelayUrl: access.relayUrl }),
  };
  if (Object.keys(missing).length > 0 && !isGameMaster) {
    throw new StageFailure(
      'This world was never paired, and this user may not change its settings. Start the session as a game master once.',
    );
  }
  proxy.allow(hostAndPort(access.relayUrl));
  Object.assign(running.written, missing);
  // Looked at again: the page may have gone elsewhere while the relay answered.
  const shown = await documentAt(page, place);
  running.writing = adapter.module.write(shown, { ...missing, connectionToken: access.token });
  await running.writing;
  return access;
}

export function hostAndPort(relayUrl: string): string {
  const { hostname, port, protocol } = new URL(relayUrl);
  return `${hostname}:${port || (protocol === 'wss:' ? 443 : 80)}`;
}

/** Whether two addresses of a relay, in any form that modules take, lead to the same. */
function isSameRelay(one: string, other: string): boolean {
  const [a, b] = [readRelay(one), readRelay(other)];
  return a !== undefined && a === b;
}

function readRelay(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (!url || !/^(https?|wss?):$/.test(url.protocol)) return undefined;
  const isSecure = url.protocol === 'https:' || url.protocol === 'wss:';
  const host = isLoopbackHost(url.hostname) ? 'localhost' : url.hostname;
  const port = url.port || (isSecure ? '443' : '80');
  return `${isSecure} ${host}:${port}${url.pathname.replace(/\/+$/, '').replace(/\/relay$/, '')}`;
}
