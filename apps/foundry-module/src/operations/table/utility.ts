import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../../tabletop/foundry.ts';
import type { Token, TokenObject, User } from '../../tabletop/documents.ts';
import { isMaster, owns } from '../acting.ts';
import type { ActingUser } from '../acting.ts';
import type { SomeHandlers } from '../call.ts';

export const utility = {
  players: () => ({ users: tabletop.game.users.map(tellUser) }),

  'world-info'() {
    const { world, system, version, modules, users, scenes } = tabletop.game;
    const scene = scenes.active;
    return {
      data: {
        world: { id: world.id, title: world.title },
        system: { id: system.id, title: system.title, version: system.version },
        tabletopVersion: version,
        foundryVersion: version,
        modules: modules.map(({ id, title, version: of, active }) => ({
          id,
          title,
          version: of ?? '',
          active,
        })),
        users: users.map(tellUser),
        activeScene: scene ? { id: scene.id, name: scene.name } : null,
      },
    };
  },

  selected(_parameters, call) {
    const selected = ownSelection(call.user);
    return {
      success: true,
      selected: selected.map(({ uuid, actor }) => ({ tokenUuid: uuid, actorUuid: actor?.uuid ?? null })),
    };
  },

  /** Tokens that match any of what is given; players have only those of their own. */
  select({ uuids, name, data, all = false, overwrite = false }, call) {
    const user = call.user;
    if (uuids === undefined && name === undefined && data === undefined && !all) {
      throw new OperationRefused('Say which tokens: uuids, name, data or all', 'invalid_parameters');
    }
    const tokens = layer();
    for (const uuid of uuids ?? []) assertSelectable(user, tokens.placeables, uuid);
    const chosen = tokens.placeables.filter(
      ({ document }) =>
        mayControl(user, document) &&
        (all ||
          uuids?.includes(document.uuid) === true ||
          document.name.toLowerCase() === name?.toLowerCase() ||
          (data !== undefined && hasData(document, data))),
    );
    if (overwrite) tokens.releaseAll();
    for (const token of chosen) token.control({ releaseOthers: false });
    const selected = ownSelection(user).map(({ uuid }) => uuid);
    const message = `${selected.length} ${selected.length === 1 ? 'token' : 'tokens'} selected`;
    return { success: true, count: selected.length, message, selected };
  },
} satisfies SomeHandlers;

function tellUser({ id, name, role, isGM, active, color, avatar }: User) {
  return { id, name, role, isGM, active, color: color?.toString() ?? null, avatar };
}

function layer() {
  const tokens = tabletop.canvas.ready ? tabletop.canvas.tokens : null;
  if (tokens) return tokens;
  throw new OperationRefused(
    'This browser shows no canvas, so that nothing can be selected',
    'not_supported',
  );
}

/** What the user may know of the selection, which is that of whoever sits at this browser. */
const ownSelection = (user: ActingUser): Token[] =>
  layer()
    .controlled.map(({ document }) => document)
    .filter((token) => mayControl(user, token));

/** A player has tokens of their own that are not hidden. */
const mayControl = (user: ActingUser, token: Token): boolean =>
  isMaster(user) || (!token.hidden && token.actor !== null && owns(user, token.actor));

function assertSelectable(user: ActingUser, placeables: readonly TokenObject[], uuid: string): void {
  const token = placeables.find(({ document }) => document.uuid === uuid)?.document;
  // A player must not learn of hidden tokens: they are refused like those that do not exist.
  if (!token || (token.hidden && !isMaster(user))) {
    throw new OperationRefused(`${uuid} is not in the scene that is shown`, 'entity_not_found');
  }
  if (!mayControl(user, token)) {
    throw new OperationRefused(`${user!.name} does not own ${token.name}`, 'permission_denied');
  }
}

function hasData(token: Token, data: Readonly<Record<string, unknown>>): boolean {
  const document = { ...token.toObject(), actor: token.actor?.toObject() ?? null };
  const entries = Object.entries(data);
  const { getProperty } = tabletop.foundry.utils;
  return (
    entries.length > 0 &&
    entries.every(([path, value]) => JSON.stringify(getProperty(document, path)) === JSON.stringify(value))
  );
}
