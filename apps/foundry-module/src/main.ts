import { createModule } from '@tabletop-relay/module-sdk';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { packageId } from '../module-manifest.ts';
import { createApi } from './api.ts';
import { createEvents } from './events/events.ts';
import { describe } from './line/describe.ts';
import type { Action, Description } from './line/describe.ts';
import { createLine } from './line/line.ts';
import type { Line, LineOptions } from './line/line.ts';
import { findOtherModule } from './line/other-module.ts';
import { parseAddress } from './line/relay-address.ts';
import { worldStorage } from './line/world-storage.ts';
import { handlers } from './operations/index.ts';
import { runSelfTest } from './self-test.ts';
import { isGameMaster, readSetting, tabletop, worldId, writeSetting } from './tabletop/foundry.ts';
import { createRelayWindow } from './window/relay-window.ts';
import type { RelayWindow } from './window/relay-window.ts';
import type { WindowView } from './window/window-content.ts';
import { createStatusLight } from './window/status-light.ts';
import { text } from './words/text.ts';

declare const __MODULE_VERSION__: string;

const oldest = 12;
const newest = 14;

tabletop.Hooks.once('init', () => {
  const { generation } = tabletop.game.release;
  if (generation >= oldest) registerSettings();
  tabletop.Hooks.once('ready', generation >= oldest ? start : tellTooOld);
});

function tellTooOld(): void {
  const { generation } = tabletop.game.release;
  tabletop.ui.notifications.warn(text('notice.generation', { generation: String(generation) }));
}

/** Set once the world is ready. */
let started: Started | undefined;

function registerSettings(): void {
  const { settings } = tabletop.game;
  for (const key of ['clientId', 'pairedRelayUrl', 'serverFingerprint'])
    settings.register(packageId, key, { scope: 'world', config: false, type: String, default: '' });
  // Written by a headless session. Client settings are one for all worlds of a server, so the token does not stay here.
  settings.register(packageId, 'connectionToken', {
    scope: 'client',
    config: false,
    type: String,
    default: '',
    onChange: (token: string) => void started?.takeToken(token),
  });
}

const logError = (error: unknown): void => console.error('Tabletop Relay |', error);

interface Started {
  takeToken(token: string): Promise<void>;
}

function start(): void {
  const { generation } = tabletop.game.release;
  if (isGameMaster() && generation > newest) {
    tabletop.ui.notifications.info(text('notice.newer', { generation: String(generation) }));
  }
  const startedAt = performance.now();
  started = new RelayApp();
  // Seen among the browser's own measures of the page.
  performance.measure(`${packageId}:start`, { start: startedAt });
}

type ModuleCallbacks = Parameters<LineOptions['makeModule']>[0];

/** Puts line, window and light together for the user of this page. */
class RelayApp implements Started {
  /** The address that people see; empty until something says one. */
  #relayUrl = asPeopleWriteIt(readSetting('pairedRelayUrl') || givenRelayUrl());
  readonly #storage = worldStorage(globalThis.localStorage, () => this.#relayUrl);
  readonly #line: Line;
  readonly #window: RelayWindow;
  readonly #showLight = isGameMaster() ? createStatusLight(document, () => this.#window.open()) : undefined;
  readonly #module: { current?: TabletopModule } = {};
  readonly #events = createEvents(() => this.#module.current!, logError);
  readonly #api: ReturnType<typeof createApi>;
  #report: string | undefined;
  #isPaired = false;

  constructor() {
    const { Menu, ...window } = createRelayWindow(() => this.#view(), {
      act: (action) => this.#act(action),
      setRelayUrl: (url) => void (this.#relayUrl = url),
      unpair: () => void this.#line.unpair(),
      test: () => void this.#test(),
      copy: (report) => void copyText(report),
    });
    this.#window = window;
    this.#line = createLine({
      worldId: worldId(),
      storage: this.#storage,
      locks: 'locks' in navigator ? navigator.locks : undefined,
      makeModule: (callbacks) => (this.#module.current = this.#makeModule(callbacks)),
      onChange: ({ status }) => {
        this.#api?.tell(status);
        void this.#changed();
      },
    });
    this.#api = createApi(__MODULE_VERSION__, this.#module.current!, {
      open: () => this.#window.open(),
      onError: logError,
    });
    tabletop.game.settings.registerMenu(packageId, 'window', {
      name: text('setting.menu.name'),
      label: text('setting.menu.label'),
      hint: text('setting.menu.hint'),
      icon: 'fa-solid fa-tower-broadcast',
      type: Menu,
      restricted: true,
    });
    if (this.#showLight) void this.#serve();
    tabletop.Hooks.callAll(`${packageId}.ready`, this.#api.api);
  }

  #makeModule(callbacks: ModuleCallbacks): TabletopModule {
    return createModule({
      ...callbacks,
      world: describeWorld(),
      storage: this.#storage,
      handlers,
      standby: true,
      declares: { checksUser: true, filtersEvents: true, wantsCaller: true },
      onListeners: (channel, count) => this.#events.listen(channel, count),
      onError: logError,
    });
  }

  async #serve(): Promise<void> {
    if (readSetting('serverFingerprint') === '') await writeSetting('serverFingerprint', randomMark());
    // A headless session writes the token before it loads the page again.
    await this.takeToken(readSetting('connectionToken'));
    // Another tab of this browser was paired.
    globalThis.addEventListener('storage', ({ key }) => {
      if (key?.endsWith('.connectionToken')) void this.#line.serve().then(() => this.#changed());
    });
    await this.#changed();
    await this.#line.serve();
    const { connectionToken } = await this.#storage.load();
    // The first game master who comes is shown the button; who closes the window finds it in the light.
    if (!connectionToken && readSetting('clientId') === '') this.#window.open();
  }

  async takeToken(connectionToken: string): Promise<void> {
    if (connectionToken === '') return;
    await this.#storage.save({ connectionToken });
    await writeSetting('connectionToken', '');
    await this.#line.serve();
  }

  async #changed(): Promise<void> {
    this.#isPaired = (await this.#storage.load()).connectionToken !== undefined;
    this.#showLight?.(this.#describe());
    this.#window.update();
  }

  #describe(): Description {
    return describe(this.#line.state, {
      relayUrl: this.#relayUrl,
      other: findOtherModule(),
      isGameMaster: isGameMaster(),
    });
  }

  #view(): WindowView {
    const { system, version } = tabletop.game;
    return {
      description: this.#describe(),
      state: this.#line.state,
      relayUrl: this.#relayUrl,
      other: findOtherModule(),
      version: { version: __MODULE_VERSION__, tabletop: version, system: `${system.id} ${system.version}` },
      report: this.#report,
      isPaired: this.#isPaired,
    };
  }

  #act(action: Action): void {
    if (action === 'pair') void this.#line.pair(this.#address(), () => globalThis.open('about:blank'));
    else if (action === 'give-up') this.#line.giveUp();
    else if (action === 'retry') this.#line.retry();
    else if (action === 'serve') void this.#line.serveHere();
    else if (action === 'test') void this.#test();
    else if (action === 'open-relay') {
      const page = parseAddress(this.#relayUrl)?.page;
      if (page !== undefined) globalThis.open(`${page}/dashboard/worlds`, '_blank', 'noopener');
    } else if (action === 'change-address') document.getElementById('tabletop-relay-address')?.focus();
  }

  #address(): string {
    return parseAddress(this.#relayUrl)?.socket ?? this.#relayUrl;
  }

  async #test(): Promise<void> {
    const { report } = await runSelfTest(__MODULE_VERSION__, this.#line.state);
    this.#report = report;
    this.#window.update();
  }
}

const asPeopleWriteIt = (address: string): string => parseAddress(address)?.page ?? address;

/** The address that stands in the package of the relay that served it. */
function givenRelayUrl(): string {
  const flags = (tabletop.game.modules.get(packageId) as { flags?: Record<string, { relayUrl?: unknown }> })
    .flags;
  const given = flags?.[packageId]?.relayUrl;
  return typeof given === 'string' ? given : '';
}

function describeWorld() {
  const { world, system, version } = tabletop.game;
  return {
    worldId: world.id,
    worldTitle: world.title,
    tabletopVersion: version,
    systemId: system.id,
    systemTitle: system.title,
    systemVersion: system.version,
    get serverFingerprint() {
      return readSetting('serverFingerprint');
    },
  };
}

/** A random mark of this installation, by which a world that lost its settings finds itself again. */
const randomMark = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

async function copyText(report: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(report);
    tabletop.ui.notifications.info(text('window.test.copied'));
  } catch {
    // Without https there is no clipboard: the text is selected, to be copied by hand.
    const area = document.getElementById('tabletop-relay-report');
    if (area instanceof HTMLTextAreaElement) area.select();
  }
}
