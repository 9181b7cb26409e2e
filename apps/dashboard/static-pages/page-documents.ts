import { addresses, pathOf } from '@tabletop-relay/contract';
import { withFirstScript } from './first-script.ts';

/** A file of the build, as the bundler tells it. */
interface BuiltFile {
  type: 'asset' | 'chunk';
  fileName: string;
  moduleIds?: readonly string[];
  imports?: readonly string[];
}

interface PageDocument {
  /** A module of its own code, which is not in the first files. It comes with them, and not only after those have run. */
  code?: string;
  /** What it asks for as soon as it is shown, most wanted first. It comes beside the code. */
  asks: readonly string[];
  alsoOnSlowLine?: readonly string[];
}

const worlds = `${pathOf(addresses.listKnownClients)}?limit=200`;
const browsers = `${pathOf(addresses.listConnectionTokens)}?limit=200`;
const keys = `${pathOf(addresses.listApiKeys)}?limit=200`;
const hours = `${pathOf(addresses.getOverview)}?days=1`;
const minutes = `${pathOf(addresses.getOverview)}?by=minute`;
const lastCalls = `${pathOf(addresses.listCalls)}?limit=5`;
const headlessSessions = `${pathOf(addresses.listHeadlessSessions)}?limit=200`;
const account = pathOf(addresses.getAccount);
const byCode = (address: Parameters<typeof pathOf>[0]) => pathOf(address).replace(':code', '{last}');
const logs = [
  addresses.listCalls,
  addresses.listConnectionLogs,
  addresses.listRemoteRequestLogs,
  addresses.listAuditLog,
];

/** Pages of the dashboard that have a document of their own, by its name; the home is `tonight`. */
const pages: Readonly<Record<string, PageDocument>> = {
  tonight: { code: 'pages/overview/tonight-page.tsx', asks: [minutes, keys, lastCalls] },
  worlds: { asks: [] },
  world: {
    code: 'pages/overview/small-overviews.tsx',
    asks: [minutes, keys],
    alsoOnSlowLine: [browsers],
  },
  sessions: { code: 'pages/sessions/sessions-page.tsx', asks: [headlessSessions, keys] },
  keys: { asks: [keys, hours] },
  try: { code: 'pages/try-it/try-page.tsx', asks: [] },
  activity: {
    code: 'pages/activity/activity-page.tsx',
    asks: [...logs.map((address) => `${pathOf(address)}?limit=50`), keys],
  },
  notifications: {
    code: 'pages/notifications/notifications-page.tsx',
    asks: [pathOf(addresses.getNotificationSettings), `${pathOf(addresses.listNotifications)}?limit=20`],
  },
  account: {
    code: 'pages/account/second-factor/second-factors.tsx',
    asks: [account, pathOf(addresses.listSecondFactors), `${pathOf(addresses.listSessions)}?limit=200`],
  },
  approve: { asks: [byCode(addresses.getKeyRequest)] },
  'pair-request': {
    code: 'pages/pair-request/pair-request-page.tsx',
    asks: [byCode(addresses.getPairRequest)],
  },
};

/** The documents beside `index.html`, which is given and serves all other pages. */
export function pageDocuments(
  index: string,
  files: readonly BuiltFile[],
): { file: string; document: string }[] {
  return Object.entries(pages).map(([name, { code, asks, alsoOnSlowLine = [] }]) => {
    const links = code === undefined ? [] : preloadsOf(code, index, files);
    const document = withFirstScript(index.replace('</head>', `${links.join('')}</head>`), {
      asks: [...new Set([...asks, account])],
      asksOnSlowLine: [worlds, ...alsoOnSlowLine],
    });
    return { file: `dashboard/${name}.html`, document };
  });
}

function preloadsOf(code: string, index: string, files: readonly BuiltFile[]): string[] {
  const chunk = files.find(({ moduleIds = [] }) => moduleIds.some((id) => id.endsWith(`/src/${code}`)));
  if (!chunk) throw new Error(`no file of the build holds ${code}`);
  return [...neededBy(chunk, files)]
    .filter((file) => !index.includes(file))
    .map((file) => `<link rel="modulepreload" crossorigin href="/dashboard/${file}">`);
}

/** The file and all that it imports. */
function neededBy(chunk: BuiltFile, files: readonly BuiltFile[], found = new Set<string>()): Set<string> {
  if (found.has(chunk.fileName)) return found;
  found.add(chunk.fileName);
  for (const name of chunk.imports ?? []) {
    const imported = files.find(({ fileName }) => fileName === name);
    if (imported) neededBy(imported, files, found);
  }
  return found;
}
