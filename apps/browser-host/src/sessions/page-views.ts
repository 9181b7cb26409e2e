import type { Database } from '@tabletop-relay/database';
import { writeConsole, writePicture } from '@tabletop-relay/headless';
import type { Run } from '@tabletop-relay/headless';
import type { SessionPage } from '../browser/open-page.ts';
import type { Leaving, RunningSession } from './running-session.ts';

const pictureWithinMs = 5_000;
const maxPictureBytes = 1_000_000;

/** The page as it is now; undefined where it shows nothing in time. */
export async function takePicture({ page }: SessionPage): Promise<Buffer | undefined> {
  const picture = await page
    .screenshot({ type: 'jpeg', quality: 60, timeout: pictureWithinMs, animations: 'disabled' })
    .catch(() => undefined);
  return picture && picture.length <= maxPictureBytes ? picture : undefined;
}

/** What the page showed when it stopped, for its account. */
export async function keepPicture(db: Database, { id }: Run, opened: SessionPage): Promise<void> {
  const picture = await takePicture(opened);
  if (picture) await writePicture(db, id, picture).catch(() => {});
}

/** What the page has written to its console since the last beat: the lines before its end tell most. */
export async function keepConsole(db: Database, running: RunningSession): Promise<void> {
  const { id, signal, takeConsole } = running;
  const isOurs = (signal.reason as Leaving | undefined)?.kind !== 'superseded';
  const lines = isOurs ? takeConsole() : undefined;
  if (lines) await writeConsole(db, id, lines).catch(() => {});
}
