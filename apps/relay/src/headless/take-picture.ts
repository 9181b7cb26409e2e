import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError } from '../problem.ts';
import { readView } from './read-sessions.ts';

const takenWithinMs = 4_000;
const lookEveryMs = 150;

/** The page of a session as it is now, where a host has it; otherwise, or if that takes too long, the last picture. */
export async function takePicture(
  db: Database,
  session: { accountId: string; id: string },
): Promise<{ at: string | null; image: string }> {
  const askedAt = await askForPicture(db, session);
  const deadline = performance.now() + takenWithinMs;
  for (;;) {
    const view = await readView(db, session);
    if (!view) throw new ProblemError('not_found', 'You have no headless session by that id.');
    const { state, picture, pictureAt } = view;
    const isNew = askedAt === undefined || (pictureAt !== null && pictureAt >= askedAt);
    const isLive = state === 'starting' || state === 'active';
    if (isNew || !isLive || performance.now() > deadline) {
      const image = picture ? `data:image/jpeg;base64,${picture.toString('base64')}` : '';
      return { at: pictureAt?.toISOString() ?? null, image };
    }
    await sleep(lookEveryMs);
  }
}

/** Undefined where no host has the session. */
async function askForPicture(
  db: Database,
  { accountId, id }: { accountId: string; id: string },
): Promise<Date | undefined> {
  const asked = await db
    .updateTable('headlessViews')
    .from('headlessSessions')
    .set({ pictureWantedAt: sql`now()` })
    .whereRef('sessionId', '=', 'id')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('state', 'in', ['starting', 'active'])
    .where('run', '>', 0)
    .returning('pictureWantedAt')
    .executeTakeFirst();
  return asked?.pictureWantedAt ?? undefined;
}
