import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../../tabletop/foundry.ts';
import type { Data, Macro } from '../../tabletop/documents.ts';
import { isData } from '../../versions/core-version.ts';
import { findByUuid, isMaster, nameOf, notFound } from '../acting.ts';
import type { ActingUser } from '../acting.ts';
import type { SomeHandlers } from '../call.ts';
import { assertLevel, may, refused } from '../permissions.ts';

/** Macros and scripts: the tabletop itself runs them, as whoever sits at this browser. */
export const macros = {
  macros(_parameters, { user }) {
    const seen = tabletop.game.macros.filter((macro) => may(user, macro, 'LIMITED'));
    return { macros: seen.map((macro) => tell(user, macro)) };
  },

  async 'macro-execute'({ uuid, args = {} }, { user, code }) {
    const macro = await findByUuid(uuid);
    if (macro?.documentName !== 'Macro') throw notFound('macro', uuid);
    assertLevel(user, macro, 'LIMITED', 'run');
    if (!mayRun(user, macro as Macro)) throw refused(user, `run ${uuid}`);
    if ((macro as Macro).command !== code) {
      throw new OperationRefused('The macro was changed while the game master was asked', 'asked');
    }
    const value = await run(macro as Macro, { ...variablesOf(args), args });
    return { uuid, success: true, result: resultOf(value) };
  },

  async 'execute-js'({ script }, { user }) {
    if (user !== null && !user.can('MACRO_SCRIPT')) throw refused(user, 'run scripts');
    if (!isMaster(user)) throw refused(user, 'run scripts with everything of the world');
    // A macro that is kept nowhere: the tabletop makes code of its text as of every macro's.
    const { documentClass } = tabletop.CONFIG.Macro;
    const author = tabletop.game.user?.id;
    const macro = new documentClass({ name: 'Tabletop Relay', type: 'script', command: script, author });
    // Before it runs: one that fails, or never ends, is told of too.
    await tellGameMasters(user, script);
    const value = await run(macro, {});
    return { success: true, result: value ?? null };
  },
} satisfies SomeHandlers;

const mayRun = (user: ActingUser, macro: Macro): boolean => isMaster(user) || macro.canUserExecute(user!);

async function run(macro: Macro, scope: object): Promise<unknown> {
  try {
    return await macro.execute(scope);
  } catch (error) {
    throw new OperationRefused(error instanceof Error ? error.message : String(error), 'script_failed');
  }
}

/**
 * What a macro finds as its own variables: names that are none, or that the tabletop gives it, stand in `args` alone. So do names of what the page
 * has: a macro that was approved would be another one with a `game` of the caller's.
 */
function variablesOf(args: Data): Data {
  const given = new Set([
    'speaker',
    'actor',
    'token',
    'character',
    'scope',
    'args',
    'undefined',
    'arguments',
  ]);
  return Object.fromEntries(
    Object.entries(args).filter(
      ([name]) => /^[A-Za-z_$][\w$]*$/.test(name) && !given.has(name) && !isOfPage(name),
    ),
  );
}

/** Not texts and numbers such as the page's `name`, nor elements, which are found by their ids. */
const isOfPage = (name: string): boolean =>
  Object.hasOwn(globalThis, name) &&
  ['object', 'function'].includes(typeof (globalThis as unknown as Data)[name]);

function tell(user: ActingUser, macro: Macro) {
  const { uuid, id, name, type, author, img, scope } = macro;
  return {
    uuid,
    id,
    name,
    type,
    author: author?.id ?? null,
    command: may(user, macro, 'OBSERVER') ? macro.command : null,
    img: img || null,
    scope,
    canExecute: mayRun(user, macro),
  };
}

/** What a macro gives back, as an object that can be written. */
function resultOf(value: unknown): Data {
  try {
    const plain = JSON.parse(JSON.stringify(value ?? null)) as unknown;
    return isData(plain) ? plain : { value: plain };
  } catch {
    throw new OperationRefused('The macro ran, and what it gave back cannot be written', 'invalid_result');
  }
}

/** Letters of a script. */
const mostTold = 2_000;

/** What was run as the game master is told to the game masters. */
async function tellGameMasters(user: ActingUser, script: string): Promise<void> {
  const { ChatMessage, game } = tabletop;
  const shown = document.createElement('pre');
  const more = script.length - mostTold;
  shown.textContent = script.slice(0, mostTold) + (more > 0 ? `… (${more} letters more)` : '');
  await ChatMessage.create({
    content: shown.outerHTML,
    flavor: 'Tabletop Relay: a script was run',
    speaker: { alias: nameOf(user) },
    whisper: game.users.filter(({ isGM }) => isGM).map(({ id }) => id),
  });
}
