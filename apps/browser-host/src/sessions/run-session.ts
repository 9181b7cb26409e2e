import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@tabletop-relay/database';
import { lookUntil, readSession, tellConnected, writeStage } from '@tabletop-relay/headless';
import type { SessionNotices, SessionRow } from '@tabletop-relay/headless';
import type { AddressGuard } from '@tabletop-relay/outbound';
import type { Logger } from 'pino';
import type { Locator } from 'playwright-core';
import type { Adapter, StageLogin } from '../adapters/adapter.ts';
import { StageFailure } from '../adapters/adapter.ts';
import type { BrowserEnd, StartBrowser } from '../browser/browser.ts';
import { openPage } from '../browser/open-page.ts';
import type { SessionPage } from '../browser/open-page.ts';
import type { BrowserSettings } from '../config.ts';
import { hostAndPort, writeModule } from '../world/connect-module.ts';
import { enterWorld, explain, openTabletop } from '../world/enter-world.ts';
import type { Leaving, RunningSession } from './running-session.ts';
import { keepConsole, keepPicture, takePicture } from './page-views.ts';
import { keepState, readState } from './stored-state.ts';
import type { StoredStateDeps } from './stored-state.ts';
import { documentAt, placeOf, untilElsewhere } from '../world/place.ts';
import { typePassword } from '../world/type-password.ts';
import { captureConsole, watchModule } from '../world/watch-page.ts';

export interface RunDeps extends StoredStateDeps {
  db: Database;
  log: Logger;
  notices: SessionNotices;
  startBrowser: StartBrowser;
  guard: AddressGuard;
  adapters: readonly Adapter[];
  settings: BrowserSettings;
}

export interface RunInput {
  session: SessionRow;
  running: RunningSession;
  /** Emptied once it was used. */
  secret: { password?: string | undefined };
}

/** The page or its browser is gone. Unless it was ended for its excess, the session may be started again. */
export class PageGone extends Error {
  override name = 'PageGone';
  readonly isExcess: boolean;

  constructor({ what, isExcess }: BrowserEnd) {
    super(what);
    this.isExcess = isExcess;
  }
}

/**
 * One life of a session in one page: log in, connect the module, stay until it leaves. Resolves with why it left; rejects
 * with `StageFailure`, `PageGone` or `BrowserUnavailable`.
 */
export async function runSession(deps: RunDeps, input: RunInput): Promise<Leaving> {
  const { session, running } = input;
  const stored = await readState(deps, session);
  const opened = await openPage(deps.startBrowser, { guard: deps.guard, stored });
  const { promise: left, resolve } = Promise.withResolvers<Leaving>();
  const onLeave = () => resolve(running.signal.reason as Leaving);
  running.signal.addEventListener('abort', onLeave, { once: true });
  if (running.signal.aborted) onLeave();
  running.takePicture = () => takePicture(opened);
  const gone = opened.gone.then((end) => Promise.reject(new PageGone(end)));
  const undo: Undo = {};
  const elsewhere = untilElsewhere(opened, placeOf(session.tabletopUrl));
  const life = liveIn(opened, deps, { ...input, undo });
  // Whoever settles first decides; the others are of no interest then.
  for (const late of [life, gone, elsewhere]) late.catch(() => {});
  try {
    const why = await Promise.race([left, gone, elsewhere, life.then(() => left)]);
    if (why.kind === 'handover') await keepLastState(deps, session, opened);
    else if (await isOver(deps, session, why)) await takeBack(undo);
    return why;
  } catch (error) {
    if (!(error instanceof PageGone)) {
      await takeBack(undo);
      await keepPicture(deps.db, session, opened);
    }
    throw error;
  } finally {
    await keepConsole(deps.db, running);
    running.takePicture = undefined;
    running.signal.removeEventListener('abort', onLeave);
    await opened.close();
  }
}

/** What is to be undone in the tabletop where a start comes to nothing. */
interface Undo {
  settings?: () => Promise<void>;
}

/** A page that is stuck must not keep its session from ending. */
const atTheEndMs = 5_000;
const tryAgainMs = 200;
const stuck = 'The page is stuck.';

/** Tried again while the page is loaded anew, which ends whatever it is asked. A page that is stuck or gone keeps the settings. */
async function takeBack({ settings }: Undo): Promise<void> {
  if (!settings) return;
  const isLate = AbortSignal.timeout(atTheEndMs);
  const untilDone = async (): Promise<void> => {
    for (;;) {
      try {
        return await settings();
      } catch {
        await sleep(tryAgainMs, undefined, { signal: isLate });
      }
    }
  };
  await within(atTheEndMs, untilDone(), stuck).catch(() => {});
}

/** Where the page is stuck, the state of its log-in counts. */
async function keepLastState(deps: RunDeps, session: SessionRow, opened: SessionPage): Promise<void> {
  await within(atTheEndMs, keepState(deps, session, opened), stuck).catch(() => {});
}

/** Whether no host goes on with the session: it was ended here, or by a relay whose start had waited for too long. */
async function isOver({ db }: RunDeps, session: SessionRow, why: Leaving): Promise<boolean> {
  if (why.kind !== 'superseded') return why.kind === 'ended';
  return (await readSession(db, session).catch(() => undefined)) !== undefined;
}

async function liveIn(opened: SessionPage, deps: RunDeps, input: RunInput & { undo: Undo }): Promise<void> {
  const { page } = opened;
  const { session, running, secret, undo } = input;
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
  const { tabletopUrl } = session;
  const adapter = await openTabletop(opened, deps.adapters, { tabletopUrl, timeoutMs });
  names = ['open', ...adapter.stages.map(({ name }) => name), 'module', 'online'];
  await enterWorld(page, adapter, { login: loginOf(session, { secret, timeoutMs }), tell });
  secret.password = undefined;
  await keepState(deps, session, opened);

  await tell('module');
  undo.settings = async () => {
    if (Object.keys(running.written).length === 0) return;
    // What is still being written would stand there after it was taken back.
    await running.writing.catch(() => {});
    await adapter.module.takeBack(await documentAt(page, placeOf(tabletopUrl)), running.written);
  };
  const { db, notices } = deps;
  const access = await writeModule({ db, notices, session, running, opened, adapter, timeoutMs }).catch(
    (error: unknown) => explain(page, error),
  );
  ({ token } = access);
  await tell('online');
  try {
    const relayHost = hostAndPort(access.relayUrl).replace(/:(80|443)$/, '');
    const { connected } = watchModule(page, running, relayHost);
    await adapter.module.restart(page);
    await within(timeoutMs, connected, 'The module did not connect to the relay.');
    await untilActive(deps, session, timeoutMs);
  } catch (error) {
    return await explain(page, error);
  }
  delete undo.settings;
  running.lastActivityAt = Date.now();
  running.isOnline = true;
  deps.log.info(
    { sessionId: session.id, run: session.run, adapter: adapter.name },
    'a headless world is online',
  );
}

function loginOf(
  { tabletopUrl, username, worldName }: SessionRow,
  { secret, timeoutMs }: Pick<RunInput, 'secret'> & Pick<StageLogin, 'timeoutMs'>,
): StageLogin {
  const type = async (field: Locator) => {
    const { password } = secret;
    if (password) await typePassword(field, { password, place: placeOf(tabletopUrl) });
  };
  const typing = secret.password === undefined ? undefined : type;
  return { tabletopUrl, username, worldName, timeoutMs, typePassword: typing };
}

/** The relay says so when it finds the world online. */
async function untilActive({ db, notices }: RunDeps, session: SessionRow, withinMs: number): Promise<void> {
  await tellConnected(db, session);
  const look = async () => (await readSession(db, session))?.state === 'active' || undefined;
  const isActive = await lookUntil(notices, { sessionId: session.id, withinMs }, look);
  if (!isActive) throw new StageFailure('The relay does not see the world online.');
}

async function within<T>(ms: number, work: Promise<T>, otherwise: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new StageFailure(otherwise)), ms);
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
