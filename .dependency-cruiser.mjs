const ours = (names) => `^packages/(${names})/`;
const own = '^(?:packages|apps)/([^/]+)/';

/** The rooms of apps/relay/src: each imports only from those before it. docs/architecture.md says what each holds. */
export const rooms = [
  'tracing',
  'instances',
  'limits',
  'credentials',
  'records',
  'pauses',
  'accounts',
  'call-log',
  'worlds',
  'keys',
  'notifications',
  'sockets',
  'calls',
  'streams',
  'mcp',
  'caller-sockets',
  'headless',
  'http',
  'admin',
  'doctor',
];

const roomRules = rooms.slice(0, -1).map((room, index) => ({
  name: `${room}-imports-no-later-room`,
  severity: 'error',
  from: { path: `^apps/relay/src/${room}/`, pathNot: '\\.test\\.ts$' },
  to: { path: `^apps/relay/src/(${rooms.slice(index + 1).join('|')})/` },
}));

/** The imports that are forbidden between folders: the table stands in docs/architecture.md. */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'foundations-import-nothing-of-ours',
      severity: 'error',
      from: { path: '^packages/(contract|process|kit|outbound)/src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(?:packages|apps)/', pathNot: '^packages/$1/' },
    },
    {
      name: 'cluster-imports-only-the-kit',
      severity: 'error',
      from: { path: '^packages/cluster/src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(?:packages|apps)/', pathNot: ours('cluster|kit') },
    },
    {
      name: 'limits-import-only-the-redis-access-of-cluster',
      severity: 'error',
      from: { path: '^packages/limits/src/', pathNot: '\\.test\\.tsx?$' },
      to: {
        path: '^(?:packages|apps)/',
        pathNot: '^packages/limits/|^packages/cluster/src/redis/(connection|keys|script|tick-batch)\\.ts$',
      },
    },
    {
      name: 'headless-imports-what-both-of-its-sides-have',
      severity: 'error',
      from: { path: '^packages/headless/src/', pathNot: '\\.test\\.tsx?$' },
      to: {
        path: '^(?:packages|apps)/',
        pathNot: `^packages/headless/|^packages/cluster/src/redis/(connection|keys|script)\\.ts$|${ours('contract|database|jobs')}`,
      },
    },
    {
      name: 'contract-only',
      severity: 'error',
      from: { path: '^packages/(database|jobs|sdk|module-sdk)/src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(?:packages|apps)/', pathNot: `^packages/$1/|${ours('contract')}` },
    },
    {
      name: 'cli-imports-only-the-sdk',
      severity: 'error',
      from: { path: '^packages/cli/src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(?:packages|apps)/', pathNot: ours('cli|sdk') },
    },
    {
      name: 'notifications-import-contract-and-outbound',
      severity: 'error',
      from: { path: '^packages/notifications/src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(?:packages|apps)/', pathNot: ours('notifications|contract|outbound') },
    },
    {
      name: 'no-app-imports-an-app',
      comment: 'standalone composes the apps; nobody else imports one.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: '^apps/standalone/|\\.test\\.tsx?$|^apps/[^/]+/test/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'packages-do-not-import-apps',
      severity: 'error',
      from: { path: '^packages/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^apps/' },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { path: own, pathNot: '\\.test\\.tsx?$|/test/|^packages/testing/|^benchmarks/' },
      to: { path: ours('testing') },
    },
    {
      name: 'rooms-import-few-files-beside-them',
      comment:
        'A room declares the settings that it reads; config.ts puts them together. So it is with the rest.',
      severity: 'error',
      // The commands of operators look at an instance as a whole.
      from: { path: `^apps/relay/src/(${rooms.join('|')})/`, pathNot: '^apps/relay/src/(admin|doctor)/' },
      to: {
        path: '^apps/relay/src/[^/]+\\.ts$',
        pathNot: '/(problem|endpoint-handler|metrics|read-together|version)\\.ts$',
      },
    },
    ...roomRules,
    {
      name: 'browser-code-needs-no-node',
      severity: 'error',
      from: {
        path: '^packages/(contract|sdk)/src/|^apps/(dashboard|foundry-module)/src/|^apps/demo-world/src/(page|world)/',
        pathNot: '\\.test\\.tsx?$',
      },
      to: { dependencyTypes: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'node_modules|/dist/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default', 'types'] },
  },
};
