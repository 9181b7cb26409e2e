import type { Database } from '@tabletop-relay/database';
import { openSealed, seal } from '@tabletop-relay/headless';
import type { ShortLived } from '@tabletop-relay/headless';
import type { AddressGuard } from '@tabletop-relay/outbound';
import type { Logger } from 'pino';
import type { Adapter, StageLogin } from '../adapters/adapter.ts';
import { StageFailure } from '../adapters/adapter.ts';
import type { SharedBrowser } from '../browser/browser.ts';
import { openPage } from '../browser/open-page.ts';
import type { SessionPage, StoredState } from '../browser/open-page.ts';
import type { BrowserSettings } from '../config.ts';
import { hostAndPort, writeModule } from '../world/connect-module.ts';
import { enterWorld, explain, openTabletop } from '../world/enter-world.ts';
import type { Leaving, RunningSession } from './running-session.ts';
import { readSession, writePicture, writeStage } from './session-rows.ts';
import type { SessionRow } from './session-rows.ts';
import { captureConsole, watchModule } from '../world/watch-page.ts';

export interface RunDeps {
  db: Database;
  log: Logger;
  browser: SharedBrowser;
  guard: AddressGuard;
  /** Holds the tabletops' cookies, sealed. */
  kept: ShortLived;
  adapters: readonly Adapter[];
  settings: BrowserSettings;
}

export interface RunInput {
  session: SessionRow;
  running: RunningSession;
  /** Emptied once it was used. */
  secret: { password?: string | undefined };
}

/** The page or its browser is gone: the session may be started again. */
export class PageCrashed extends Error {
  override name = 'PageCrashed';
}

/**
 * One life of a session in one page: log in, connect the module, stay until it leaves. Resolves with why it left; rejects
 * with `StageFailure`, `PageCrashed` or `BrowserUnavailable`.
 */
export async function runSession(deps: RunDeps, input: RunInput): Promise<Leaving> {
  const { session, running } = input;
  const stored = await readStored(deps, session);
  const opened = await openPage(deps.browser, { guard: deps.guard, stored });
  const { promise: left, resolve } = Promise.withResolvers<Leaving>();
  const onLeave = () => resolve(running.signal.reason as Leaving);
  running.signal.addEventListener('abort', onLeave, { once: true });
  if (running.signal.aborted) onLeave();
  running.takePicture = () => takePicture(opened);
  const crashed = opened.crashed.then((what) => Promise.reject(new PageCrashed(what)));
  const life = liveIn(opened, deps, input);
  // Whoever settles first decides; the others are of no interest then.
  for (const late of [life, crashed]) late.catch(() => {});
  try {
    const why = await Promise.race([left, crashed, life.then(() => left)]);
    if (why.kind === 'handover') await keepState(deps, session, opened);
    return why;
  } catch (error) {
    if (!(error instanceof PageCrashed)) await keepPicture(deps, session, opened);
    throw error;
  } finally {
    running.takePicture = undefined;
    running.signal.removeEventListener('abort', onLeave);
    await opened.close();
  }
}

async function liveIn(opened: SessionPage, deps: RunDeps, input: RunInput): Promise<void> {
  const { page } = opened;
  const { session, running, secret } = input;
  const timeoutMs = deps.settings.headlessStageMs;
  page.setDefaultTimeout(timeoutMs);
  const lines = captureConsole(page, {
    level: session.consoleLevel,
    secrets: () => [secret.password ?? '', token].filter((text) => text.length > 3),
  });
  running.takeConsole = lines.take;
  let token = '';
  let names = ['open'];
  const tell = async (stage: string) => {
    const progress = {
      stage,
      stageNumber: names.indexOf(stage) + 1,
      stages: names.length > 1 ? names.length : 0,
    };
    await writeStage(deps.db, session, progress);
  };

  await tell('open');
  const { tabletopUrl, username, worldName } = session;
  const adapter = await openTabletop(opened, deps.adapters, { tabletopUrl, timeoutMs });
  names = ['open', ...adapter.stages.map(({ name }) => name), 'module', 'online'];
  const login: StageLogin = { tabletopUrl, username, worldName, password: secret.password, timeoutMs };
  await enterWorld(page, adapter, { login, tell });
  secret.password = undefined;
  login.password = undefined;
  await keepState(deps, session, opened);

  await tell('module');
  const written = await writeModule({ db: deps.db, session, opened, adapter, timeoutMs }).catch(
    (error: unknown) => explain(page, error),
  );
  ({ token } = written.access);
  await tell('online');
  try {
    const { connected } = watchModule(
      page,
      running,
      hostAndPort(written.access.relayUrl).replace(/:(80|443)$/, ''),
    );
    await adapter.module.restart(page);
    await within(timeoutMs, connected, 'The module did not connect to the relay.');
    await untilActive(deps, session, timeoutMs);
  } catch (error) {
    await written.takeBack().catch(() => {});
    return await explain(page, error);
  }
  running.lastActivityAt = Date.now();
  running.isOnline = true;
  deps.log.info(
    { sessionId: session.id, run: session.run, adapter: adapter.name },
    'a headless world is online',
  );
}

const lookEveryMs = 150;

/** The relay says so when it finds the world online. */
async function untilActive(deps: RunDeps, session: SessionRow, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const row = await readSession(deps.db, session);
    if (row?.state === 'active') return;
    if (performance.now() > deadline) throw new StageFailure('The relay does not see the world online.');
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

async function within<T>(ms: number, work: Promise<T>, otherwise: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new StageFailure(otherwise)), ms);
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const nameOf = ({ id }: Pick<SessionRow, 'id'>) => `cookies:${id}`;

/** The tabletop's cookies and the page's storage, for a page that takes this one's place. */
async function keepState(deps: RunDeps, session: SessionRow, { context }: SessionPage): Promise<void> {
  if (!session.sealKey) return;
  const state = await context.storageState();
  const sealed = seal(session.sealKey, JSON.stringify(state));
  await deps.kept.put(nameOf(session), sealed, deps.settings.headlessMaxMs);
}

async function readStored({ kept }: RunDeps, session: SessionRow): Promise<StoredState | undefined> {
  const sealed = await kept.read(nameOf(session)).catch(() => undefined);
  const opened = sealed && session.sealKey ? openSealed(session.sealKey, sealed) : undefined;
  return opened === undefined ? undefined : (JSON.parse(opened) as StoredState);
}

export async function forgetState({ kept }: Pick<RunDeps, 'kept'>, session: { id: string }): Promise<void> {
  await kept.take(nameOf(session)).catch(() => undefined);
}

const pictureWithinMs = 5_000;
const maxPictureBytes = 1_000_000;

async function takePicture({ page }: SessionPage): Promise<Buffer | undefined> {
  const picture = await page
    .screenshot({ type: 'jpeg', quality: 60, timeout: pictureWithinMs, animations: 'disabled' })
    .catch(() => undefined);
  return picture && picture.length <= maxPictureBytes ? picture : undefined;
}

async function keepPicture(deps: RunDeps, session: SessionRow, opened: SessionPage): Promise<void> {
  const picture = await takePicture(opened);
  if (picture) await writePicture(deps.db, session.id, picture).catch(() => {});
}
