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
import { guardAll } from './operations/call.ts';
import { allHandlers } from './operations/index.ts';
import { runSelfTest } from './self-test.ts';
import { isGameMaster, readSetting, tabletop, worldId, writeSetting } from './tabletop/foundry.ts';
import { hearStops } from './operations/table/playlists.ts';
import { createGameMaster } from './trust/game-master.ts';
import type { GameMaster } from './trust/game-master.ts';
import { createRelayWindow } from './window/relay-window.ts';
import type { RelayWindow } from './window/relay-window.ts';
import type { WindowView } from './window/window-content.ts';
import type { TabName } from './window/tabs.ts';
import { createStatusLight } from './window/status-light.ts';
import { languagePrefix } from './words/english.ts';
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
  const { settings, keybindings } = tabletop.game;
  for (const key of ['clientId', 'pairedRelayUrl', 'serverFingerprint'])
    settings.register(packageId, key, { scope: 'world', config: false, type: String, default: '' });
  for (const [key, type, initial] of [
    ['policy', Object, {}],
    ['pausedBy', String, ''],
  ] as const)
    settings.register(packageId, key, {
      scope: 'world',
      config: false,
      type,
      default: initial,
      onChange: () => started?.settingsChanged(),
    });
  keybindings.register(packageId, 'pause', {
    name: `${languagePrefix}.key.pause.name`,
    hint: `${languagePrefix}.key.pause.hint`,
    restricted: true,
    onDown: () => started?.togglePause() ?? false,
  });
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
  /** A token that a headless session wrote. */
  takeToken(token: string): Promise<void>;
  settingsChanged(): void;
  /** Whether the key did something. */
  togglePause(): boolean;
}

function start(): void {
  const { generation } = tabletop.game.release;
  if (isGameMaster() && generation > newest) {
    tabletop.ui.notifications.info(text('notice.newer', { generation: String(generation) }));
  }
  const startedAt = performance.now();
  hearStops();
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
  readonly #showLight = isGameMaster()
    ? createStatusLight(document, {
        open: () => this.#window.open(),
        showQuestion: () => this.#gameMaster.showQuestion(),
        togglePause: () => this.#gameMaster.togglePause(),
      })
    : undefined;
  readonly #module: { current?: TabletopModule } = {};
  readonly #gameMaster: GameMaster = createGameMaster({
    module: () => this.#module.current!,
    onChange: (only) => this.#draw(only),
    onError: logError,
  });
  readonly #events = createEvents(
    { emit: (...event) => this.#gameMaster.mayTell() && this.#module.current!.emit(...event) },
    logError,
  );
  readonly #api: ReturnType<typeof createApi>;
  #report: string | undefined;
  #isPaired = false;

  constructor() {
    const { Menu, ...window } = createRelayWindow(() => this.#view(), {
      act: (action) => this.#act(action),
      setRelayUrl: (url) => void (this.#relayUrl = url),
      unpair: () => void this.#line.unpair(),
      test: () => void this.#test(),
      copy: (words, id) => void copyText(words, id),
      togglePause: () => this.#gameMaster.togglePause(),
      policy: this.#gameMaster.policyActs,
      activity: this.#gameMaster.activityActs,
    });
    this.#window = window;
    this.#line = createLine({
      worldId: worldId(),
      storage: this.#storage,
      locks: 'locks' in navigator ? navigator.locks : undefined,
      makeModule: (callbacks) => (this.#module.current = this.#makeModule(callbacks)),
      onChange: ({ status }) => {
        this.#api?.tell(status);
        this.#gameMaster.lineChanged();
        void this.#changed();
      },
    });
    this.#api = createApi(__MODULE_VERSION__, this.#module.current!, {
      open: () => this.#window.open(),
      mayTell: this.#gameMaster.mayTell,
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
      handlers: guardAll(allHandlers, this.#gameMaster.guard),
      standby: true,
      declares: { checksUser: true, filtersEvents: true, wantsCaller: true },
      onServing: (isServing) => {
        if (!isServing) this.#gameMaster.stopAsking();
      },
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
    this.#gameMaster.setHeadless(true);
    await this.#storage.save({ connectionToken });
    await writeSetting('connectionToken', '');
    await this.#line.serve();
  }

  settingsChanged(): void {
    this.#gameMaster.settingsChanged();
  }

  togglePause(): boolean {
    if (!this.#showLight) return false;
    this.#gameMaster.togglePause();
    return true;
  }

  async #changed(): Promise<void> {
    this.#isPaired = (await this.#storage.load()).connectionToken !== undefined;
    this.#draw();
  }

  #draw(only?: TabName): void {
    this.#window?.update(only);
    if (only !== undefined || !this.#line) return;
    const { pausedBy, questions } = this.#gameMaster;
    this.#showLight?.({
      description: this.#describe(),
      isPaused: pausedBy !== '',
      isWorldPaired: readSetting('clientId') !== '',
      questions,
    });
  }

  #describe(): Description {
    return describe(this.#line.state, {
      relayUrl: this.#relayUrl,
      other: findOtherModule(),
      isGameMaster: isGameMaster(),
      pausedBy: this.#gameMaster.pausedBy,
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
      isWorldPaired: readSetting('clientId') !== '',
      pausedBy: this.#gameMaster.pausedBy,
      policy: this.#gameMaster.policy,
      activity: this.#gameMaster.activity,
    };
  }

  #act(action: Action): void {
    if (action === 'pair') {
      this.#gameMaster.setHeadless(false);
      void this.#line.pair(this.#address(), () => globalThis.open('about:blank'));
    } else if (action === 'resume') this.#gameMaster.resume();
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

async function copyText(words: string, id?: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(words);
    tabletop.ui.notifications.info(text('window.test.copied'));
  } catch {
    // Without https there is no clipboard: the text is selected, to be copied by hand.
    const area = id === undefined ? null : document.getElementById(id);
    if (area instanceof HTMLTextAreaElement) area.select();
  }
}
