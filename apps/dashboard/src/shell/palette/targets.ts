import { operations } from '@tabletop-relay/contract';
import type { ApiKey } from '@tabletop-relay/contract';
import { isPageKey } from '../../page-keys.ts';
import { account } from '../../request.ts';
import { keys, worldLabel, worlds } from '../../store.ts';
import type { Target } from './find-targets.ts';

const pages: [title: string, path: string, words?: string][] = [
  ['Tonight', '', 'home overview who calls'],
  ['Worlds', '/worlds'],
  ['Pair a world', '/pair', 'code browser add'],
  ['Keys', '/keys', 'API tokens'],
  ['Create a key', '/keys/new', 'make new API'],
  ['Connect an assistant', '/assistants', 'MCP Claude Copilot Cursor Codex AI model'],
  ['Try it', '/try', 'call console'],
  ['Activity', '/activity', 'log calls connections'],
  ['Sessions', '/sessions', 'headless'],
  ['Start a session', '/sessions/new', 'headless'],
  ['Notifications', '/notifications', 'webhook mail quiet'],
  ['Account', '/account', 'password second factor passkey master key export delete sign out'],
];

const operationTargets = operations.map(({ name, summary }): Target => ({
  title: summary,
  kind: 'Operation',
  href: `/dashboard/try?operation=${name}`,
  words: name,
}));

/** Actions on a key. Its page asks for confirmation. */
const actionsOf = ({ id, name, pause }: ApiKey): Target[] =>
  keyActions.map(([verb, ask, words]) => ({
    title: `${verb === 'Pause' && pause ? 'Resume' : verb} ${name}`,
    kind: 'Action',
    href: `/dashboard/keys/${id}${ask}`,
    words,
  }));

const keyActions = [
  ['Pause', '?do=pause', 'key stop hold pause'],
  ['Revoke', '?do=revoke', 'key delete stop end'],
  ['Roll', '?do=roll', 'key new value rotate'],
  ['Edit', '/edit', 'key change permissions limit'],
] as const;

/** All that the person may go to. */
export function allTargets(): Target[] {
  const admin: typeof pages = account.value?.isAdministrator
    ? [['Administration', '/admin', 'accounts instances load']]
    : [];
  const ownKeys = (keys.data.value ?? []).filter((key) => !isPageKey(key));
  return [
    ...[...pages, ...admin].map(([title, path, words]): Target => ({
      title,
      kind: 'Page',
      href: `/dashboard${path}`,
      ...(words ? { words } : {}),
    })),
    ...(worlds.data.value ?? []).map((world): Target => ({
      title: worldLabel(world),
      kind: 'World',
      href: `/dashboard/worlds/${world.clientId}`,
      words: world.clientId,
    })),
    ...ownKeys.map(({ id, name }): Target => ({ title: name, kind: 'Key', href: `/dashboard/keys/${id}` })),
    ...ownKeys.flatMap(actionsOf),
    ...operationTargets,
  ];
}
