import type { Database } from '@tabletop-relay/database';
import { askForPicture, lookUntil } from '@tabletop-relay/headless';
import type { SessionNotices } from '@tabletop-relay/headless';
import { readView } from './read-sessions.ts';

const takenWithinMs = 4_000;

/** The page of a session as it is now, where a host has it; otherwise, or if that takes too long, the last picture. */
export async function takePicture(
  { db, notices }: { db: Database; notices: SessionNotices },
  session: { accountId: string; id: string },
): Promise<{ at: string | null; image: string }> {
  const askedAt = await askForPicture(db, session);
  const look = async () => {
    const view = await readView(db, session);
    const { state, pictureAt } = view;
    const isNew = askedAt === undefined || (pictureAt !== null && pictureAt >= askedAt);
    const isLive = state === 'starting' || state === 'active';
    return isNew || !isLive ? view : undefined;
  };
  const found = await lookUntil(notices, { sessionId: session.id, withinMs: takenWithinMs }, look);
  const { picture, pictureAt } = found ?? (await readView(db, session));
  const image = picture ? `data:image/jpeg;base64,${picture.toString('base64')}` : '';
  return { at: pictureAt?.toISOString() ?? null, image };
}
