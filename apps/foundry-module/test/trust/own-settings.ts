import type { OperationName } from '@tabletop-relay/module-sdk';

const ours = { 'tabletop-relay': { policy: { preset: 'everything' } } };
const paths: readonly Record<string, unknown>[] = [
  { flags: ours },
  { 'flags.tabletop-relay': {} },
  { 'flags.tabletop-relay.policy': {} },
  { 'flags.tabletop-relay.policy.preset': 'everything' },
  { flags: { '-=tabletop-relay': null } },
  { flags: { '==tabletop-relay': {} } },
  { 'flags.-=tabletop-relay': null },
  { 'flags.==tabletop-relay': {} },
  { flags: { 'tabletop-relay.policy': {} } },
  { '==flags': { 'tabletop-relay': {} } },
  { system: { deep: [{ 'tabletop-relay': 1 }] } },
];

/** Commands that would write what the module of the relay keeps, each by another way; none may be carried out whatever is allowed. */
export function ownSettings(settingId: string): readonly [OperationName, Record<string, unknown>][] {
  const uuid = `Setting.${settingId}`;
  const value = '{"preset":"everything"}';
  const actor = 'Actor.acAkra0000000000';
  const scene = 'scMarket00000000';
  return [
    ['update', { uuid, data: { value } }],
    ['update', { uuid, data: { key: 'tabletop-relay.other' } }],
    ['delete', { uuid }],
    ['increase', { uuid, attribute: 'value', amount: 1 }],
    ['create', { entityType: 'Setting', data: { key: 'tabletop-relay.policy', value } }],
    ['create', { entityType: 'Setting', data: { _id: settingId, value }, override: true, keepId: true }],
    ['create', { entityType: 'Setting', data: { key: 'core.moduleConfiguration', value: '{}' } }],
    ['create', { entityType: 'JournalEntry', data: { name: 'x', flags: ours } }],
    ['create', { entityType: 'Folder', data: { name: 'x', type: 'Actor', flags: ours } }],
    ...paths.map((data) => ['update', { uuid: actor, data }] as [OperationName, Record<string, unknown>]),
    ['update', { uuid: 'User.plDora0000000000', data: { flags: ours } }],
    ['update', { uuid: 'Compendium.world.treasures.Item.x', data: { flags: ours } }],
    ['update-user', { name: 'Dora', data: { flags: ours } }],
    ['update-scene', { sceneId: scene, data: { 'flags.tabletop-relay.x': 1 } }],
    ['create-scene', { data: { name: 'x', flags: ours } }],
    [
      'update-canvas-document',
      { documentType: 'walls', documentId: 'waNorth000000000', sceneId: scene, data: { flags: ours } },
    ],
    [
      'create-canvas-document',
      { documentType: 'walls', sceneId: scene, data: { c: [0, 0, 9, 9], flags: ours } },
    ],
    ['add-effect', { uuid: actor, effectData: { name: 'x', flags: ours } }],
    [
      'add-effect',
      { uuid: actor, effectData: { name: 'x', changes: [{ key: 'flags.tabletop-relay.x', value: '1' }] } },
    ],
    ['increase', { uuid: actor, attribute: 'flags.tabletop-relay.x', amount: 1 }],
    ['decrease', { uuid: actor, attribute: 'flags.-=tabletop-relay', amount: 1 }],
    ...[
      'modules/tabletop-relay',
      'MODULES/tabletop-relay/languages',
      'modules./tabletop-relay',
      'worlds/first',
      'worlds/first/data/settings',
      'systems/dnd5e',
      'MODULE~1',
      'mod%75les/tabletop-relay',
      'm\u{200b}odules/tabletop-relay',
      'ｍodules/tabletop-relay',
      'worlds/first/data::$INDEX_ALLOCATION/settings',
    ].map(
      (path) =>
        [
          'upload-file',
          { path, filename: 'x.json', fileData: 'data:text/plain;base64,e30=', overwrite: true },
        ] as [OperationName, Record<string, unknown>],
    ),
  ];
}
