import { openUnder, sealUnder } from '@tabletop-relay/database';
import type { SessionRow, ShortLived } from '@tabletop-relay/headless';
import type { SessionPage, StoredState } from '../browser/open-page.ts';

export interface StoredStateDeps {
  /** Holds the tabletops' cookies, sealed. */
  kept: ShortLived;
  settings: { headlessMaxMs: number };
}

const nameOf = ({ id }: Pick<SessionRow, 'id'>) => `cookies:${id}`;

/** Keeps the tabletop's cookies and the page's storage, for a page that takes this one's place. */
export async function keepState(
  { kept, settings }: StoredStateDeps,
  session: SessionRow,
  { context }: SessionPage,
): Promise<void> {
  if (!session.sealKey) return;
  const state = await context.storageState();
  await kept.put(nameOf(session), sealUnder(session.sealKey, JSON.stringify(state)), settings.headlessMaxMs);
}

/** Undefined where there is none, or where the store is away: the session then logs in anew. */
export async function readState(
  { kept }: StoredStateDeps,
  session: SessionRow,
): Promise<StoredState | undefined> {
  const sealed = await kept.read(nameOf(session)).catch(() => undefined);
  const opened = sealed && session.sealKey ? openUnder(session.sealKey, sealed) : undefined;
  return opened === undefined ? undefined : (JSON.parse(opened) as StoredState);
}

export async function forgetState(
  { kept }: Pick<StoredStateDeps, 'kept'>,
  session: Pick<SessionRow, 'id'>,
): Promise<void> {
  await kept.take(nameOf(session)).catch(() => undefined);
}
