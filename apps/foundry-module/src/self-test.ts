import type { CommandContext } from '@tabletop-relay/module-sdk';
import type { LineState } from './line/line.ts';
import { guardAll } from './operations/call.ts';
import { allHandlers } from './operations/index.ts';
import { tabletop } from './tabletop/foundry.ts';

/** Whoever sits at this browser asks, and not a program: nothing is denied, and nobody is asked. */
const handlers = guardAll(allHandlers, (_call, run) => run({ user: null, code: undefined }));

/** What is asked of the world: everything that reads, and one die that is shown to nobody. */
const asked = {
  players: {},
  'world-info': {},
  encounters: {},
  rolls: { limit: 3 },
  'last-roll': {},
  selected: {},
  'get-users': {},
  macros: {},
  'get-playlists': {},
  'get-status-effects': {},
  'chat-messages': { limit: 5 },
  search: { query: 'a', limit: 5 },
  structure: { types: ['Actor'] },
  'get-scene': {},
  'get-canvas-documents': { documentType: 'tokens' },
  'file-system': {},
  roll: { formula: '1d20', createChatMessage: false },
} satisfies { [N in keyof typeof allHandlers]?: object };

export interface SelfTest {
  report: string;
  passed: number;
  failed: number;
}

/** Runs what a program could run, and writes what came of it. The report has versions, counts and messages of errors: no names, addresses, ids or tokens. */
export async function runSelfTest(version: string, { status }: LineState): Promise<SelfTest> {
  const context: CommandContext = {
    requestId: 'self-test',
    userId: undefined,
    signal: new AbortController().signal,
    traceparent: undefined,
    caller: undefined,
  };
  const results = [];
  for (const [name, parameters] of Object.entries(asked)) {
    const startedAt = performance.now();
    const error = await run(name as keyof typeof asked, parameters, context);
    const ms = Math.round(performance.now() - startedAt);
    results.push({ operation: name, ok: error === undefined, ms, ...(error !== undefined && { error }) });
  }
  const { game, canvas } = tabletop;
  const report = {
    module: version,
    tabletop: game.version,
    system: `${game.system.id} ${game.system.version}`,
    browser: navigator.userAgent,
    isSecure: globalThis.isSecureContext,
    hasLocks: 'locks' in navigator,
    hasCanvas: canvas.ready,
    line: status.state,
    ...('closeCode' in status && { closeCode: status.closeCode }),
    modules: game.modules.filter(({ active }) => active).map(({ id, version: of }) => `${id} ${of}`),
    counts: {
      actors: game.actors.size,
      scenes: game.scenes.size,
      users: game.users.size,
      messages: game.messages.size,
    },
    results,
  };
  const passed = results.filter(({ ok }) => ok).length;
  return { report: JSON.stringify(report, null, 1), passed, failed: results.length - passed };
}

async function run(
  name: keyof typeof asked,
  parameters: object,
  context: CommandContext,
): Promise<string | undefined> {
  try {
    const handler = handlers[name] as (given: object, at: CommandContext) => unknown;
    JSON.stringify(await handler(parameters, context));
    return undefined;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}
