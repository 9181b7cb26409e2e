import type { ApiKey, KnownClient } from '@tabletop-relay/contract';
import { RelayError } from '@tabletop-relay/sdk';
import { announce } from '../../parts/announcer.tsx';
import { isPageKey } from '../../page-keys.ts';
import { account, api } from '../../request.ts';
import { createResource } from '../../resource.ts';
import { isOurs } from '../../router.ts';
import { isIn, keys, worldLabel, worlds } from '../../store.ts';
import { chooseTheme, otherTheme } from '../theme-button.tsx';
import type { Target } from './find-targets.ts';

const pages: [title: string, path: string, words?: string][] = [
  ['Tonight', '', 'home overview who calls'],
  ['Worlds', '/worlds'],
  ['Pair a world', '/pair', 'code browser add'],
  ['Keys', '/keys', 'API tokens'],
  ['Create a key', '/keys/new', 'make new API'],
  ['Connect an assistant', '/assistants', 'MCP Claude Copilot Cursor Codex AI model'],
  ['Build a stream overlay', '/overlay', 'OBS Twitch stream viewers initiative'],
  ['Try it', '/try', 'call console'],
  ['Activity', '/activity', 'log calls connections'],
  ['Hosted worlds', '/sessions', 'headless sessions'],
  ['Host a world', '/sessions/new', 'start headless session'],
  ['Notifications', '/notifications', 'webhook mail quiet'],
  ['Account', '/account', 'password second factor passkey master key export delete sign out'],
];

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

/** Calls, guides and errors: the index of the docs, which is public and read when somebody first searches. */
export const indexed = createResource(async () => {
  const response = await fetch('/guides/index.json', { credentials: 'omit' }).catch(() => undefined);
  if (response?.ok) return (await response.json()) as Target[];
  throw new RelayError({ code: 'connection_failed', detail: 'The index of the docs was not answered.' });
});

const docs: Target[] = [
  { title: 'API reference', kind: 'Page', href: '/docs', words: 'docs documentation calls' },
  { title: 'Guides', kind: 'Page', href: '/guides', words: 'docs documentation help how' },
  { title: 'What each error means', kind: 'Page', href: '/errors', words: 'docs codes problems failures' },
];

const forStrangers: Target[] = [
  { title: 'Sign in', kind: 'Page', href: '/dashboard/sign-in', words: 'log in dashboard account' },
  { title: 'Register', kind: 'Page', href: '/dashboard/register', words: 'open account sign up' },
];

/** Pausing is lifted as easily as it is set, so nothing is asked before. */
const pauseOf = (world: KnownClient): Target[] => {
  const { clientId, pauses } = world;
  const isPaused = pauses.some(({ setIn }) => setIn === 'relay');
  const verb = isPaused ? 'Resume' : 'Pause';
  return [
    {
      title: `${verb} ${worldLabel(world)}`,
      kind: 'Action',
      href: `pause:${clientId}`,
      words: 'world stop hold programs',
      async run() {
        if (isPaused) await api.resumeKnownClient({ clientId });
        else await api.pauseKnownClient({ clientId });
        await worlds.reload();
        announce(`${worldLabel(world)} is ${isPaused ? 'no longer paused' : 'paused'}.`);
      },
    },
  ];
};

const themeTarget = (): Target => ({
  title: otherTheme() === 'dark' ? 'Dark theme' : 'Light theme',
  kind: 'Action',
  href: 'theme',
  words: 'dark light colours night',
  run: () => Promise.resolve(chooseTheme(otherTheme())),
});

const signOutTarget: Target = {
  title: 'Sign out',
  kind: 'Action',
  href: 'sign-out',
  words: 'log out leave',
  async run() {
    await api.logout();
    account.value = null;
  },
};

/** All that the person may go to. In the docs their pages come first, and a call leads to its page; in the dashboard it is tried. */
export function allTargets(): Target[] {
  const isInDashboard = isOurs('/dashboard');
  const found = (indexed.data.value ?? []).map((target): Target =>
    isInDashboard && target.kind === 'Operation'
      ? { ...target, href: target.href.replace('/docs/', '/dashboard/try?operation=') }
      : target,
  );
  const own = isIn.value ? ownTargets() : forStrangers;
  return isInDashboard
    ? [...own, themeTarget(), ...docs, ...found]
    : [...docs, ...found, ...own, themeTarget()];
}

function ownTargets(): Target[] {
  const admin: typeof pages = account.value?.isAdministrator
    ? [
        ['Administration', '/admin', 'accounts instances load'],
        ['Trouble', '/admin/trouble', 'doctor queues dead letters slow failed operator'],
      ]
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
    ...(worlds.data.value ?? []).flatMap(pauseOf),
    signOutTarget,
  ];
}
