import { storableText } from '@tabletop-relay/database';
import type { Tables } from '@tabletop-relay/database';
import { giveToken } from '@tabletop-relay/headless';
import type { SessionRow } from '@tabletop-relay/headless';
import { toPlainText } from '@tabletop-relay/kit';
import type { Transaction } from 'kysely';
import { readKeyReach } from '../../keys/store/key-reach.ts';
import { readPauses, refusePaused } from '../../pauses/pauses.ts';
import { ProblemError } from '../../problem.ts';
import { createSessionToken } from '../../worlds/session-token.ts';
import type { SessionKey, SessionWorld } from '../../worlds/session-token.ts';
import type { WorldBounds } from '../../worlds/bounds.ts';

/** What a page says of its world is JSON of a stranger's server: what is no text counts as none. */
export function readWorld({ world, tabletopUrl }: Pick<SessionRow, 'world' | 'tabletopUrl'>): SessionWorld {
  const text = (name: string) => storableText(world?.[name], 200);
  const name = (field: string) => toPlainText(text(field));
  return {
    worldId: text('worldId'),
    worldTitle: name('worldTitle'),
    tabletopVersion: name('tabletopVersion'),
    systemId: text('systemId'),
    systemTitle: name('systemTitle'),
    systemVersion: name('systemVersion'),
    customName: '',
    clientId: text('clientId'),
    // A browser host of a version before tells none.
    origin: text('origin') || new URL(tabletopUrl).origin,
  };
}

/**
 * The address that was asked for may lead elsewhere, and what is paired is where the page is. Throws `session_failed` where the page
 * that the host reads its world from is of another origin.
 */
function checkOrigin({ origin }: SessionWorld, { tabletopUrl }: SessionRow): void {
  const asked = new URL(tabletopUrl).origin;
  if (origin === asked) return;
  throw new ProblemError(
    'session_failed',
    `${asked} leads to ${origin}, and a session gets its token at the address that it was started for. If ${origin} is your tabletop, start the session there.`,
  );
}

/**
 * The scoped key that started the session, as it is now; null where the master key or a person did. Throws `forbidden`
 * where the key may not start sessions any more.
 */
async function readSessionKey(
  trx: Transaction<Tables>,
  { accountId, keyId }: SessionRow,
): Promise<SessionKey | null> {
  // The master key has its account's id.
  if (keyId === null || keyId === accountId) return null;
  const key = await readKeyReach(trx, { accountId, keyId, scope: 'session:manage' });
  if (key) return key;
  throw new ProblemError(
    'forbidden',
    'The key that started this session was revoked, has expired or may not start sessions any more. Start it again with another key.',
  );
}

/**
 * Answers a browser host that is in its world: client and token, sealed for this session. Throws `forbidden`, `session_failed`,
 * and `paused` where the world turns out to be one that is paused.
 */
export async function answerHost(
  trx: Transaction<Tables>,
  { session, relayUrl, bounds }: { session: SessionRow; relayUrl: string; bounds: WorldBounds },
): Promise<void> {
  const { id, accountId, sealKey, username } = session;
  if (!sealKey) return;
  const world = readWorld(session);
  checkOrigin(world, session);
  const given = await createSessionToken(trx, bounds, {
    accountId,
    world,
    name: `Headless browser as ${username}`.slice(0, 100),
    key: await readSessionKey(trx, session),
  });
  refusePaused({ pauses: await readPauses(trx, accountId) }, given.clientId);
  const isGiven = await giveToken(trx, { id, sealKey }, { ...given, relayUrl });
  // It ended meanwhile: the token goes with this transaction.
  if (!isGiven) throw new ProblemError('session_failed', 'The session ended.');
}
