/** A small world, by the release of the system: two game masters, an assistant and two players; actors, a scene, and one of each. */

const OWNER = 3;
const users = [
  { _id: 'gmAda00000000000', name: 'Ada', role: 4, color: '#cc2222' },
  { _id: 'gmBen00000000000', name: 'Ben', role: 4, color: '#22cc22' },
  { _id: 'asCleo0000000000', name: 'Cleo', role: 3, color: '#2222cc' },
  { _id: 'plDora0000000000', name: 'Dora', role: 1, color: '#cccc22', character: 'acAkra0000000000' },
  { _id: 'plEmil0000000000', name: 'Emil', role: 1, color: '#22cccc' },
];

const isOld = (family) => family === '3.3';

const uses = (family, max, period) =>
  isOld(family)
    ? { value: max, max: String(max), per: period }
    : { spent: 0, max: String(max), recovery: [{ period, type: 'recoverAll' }] };

const activity = (id, type, more = {}) => ({
  [id]: { _id: id, type, name: '', sort: 0, activation: { type: 'action', value: 1 }, ...more },
});

function items(family) {
  const prepared =
    family >= '5.3'
      ? { method: 'spell', prepared: 1 }
      : { preparation: { mode: 'prepared', prepared: true } };
  const withActivities = (record) => (isOld(family) ? {} : { activities: record });
  const dice = isOld(family)
    ? { hitDice: 'd10', hitDiceUsed: 0 }
    : { hd: { denomination: 'd10', spent: 0, additional: '' } };
  return [
    {
      _id: 'itSword000000000',
      name: 'Longsword',
      type: 'weapon',
      system: {
        quantity: 1,
        equipped: true,
        ...withActivities(activity('acSwing000000000', 'attack', { attack: { ability: 'str' } })),
      },
    },
    {
      _id: 'itPotion00000000',
      name: 'Healing Potion',
      type: 'consumable',
      system: {
        quantity: 3,
        uses: uses(family, 2, 'lr'),
        ...withActivities(activity('acDrink000000000', 'heal')),
      },
    },
    {
      _id: 'itSpell000000000',
      name: 'Bless',
      type: 'spell',
      system: {
        level: 1,
        school: 'enc',
        properties: ['concentration'],
        ...prepared,
        ...withActivities(activity('acBless000000000', 'utility')),
      },
    },
    {
      _id: 'itFeat0000000000',
      name: 'Second Wind',
      type: 'feat',
      system: { uses: uses(family, 1, 'sr'), ...withActivities(activity('acWind0000000000', 'heal')) },
    },
    {
      _id: 'itRing0000000000',
      name: 'Ring of Warmth',
      type: 'equipment',
      system: { quantity: 1, attunement: 'required', attuned: false, equipped: false },
    },
    {
      _id: 'itClass000000000',
      name: 'Fighter',
      type: 'class',
      system: { identifier: 'fighter', levels: 3, ...dice },
    },
  ];
}

function actors(family) {
  const abilities = {
    str: { value: 16, proficient: 1 },
    dex: { value: 14 },
    con: { value: 15, proficient: 1 },
    int: { value: 10 },
    wis: { value: 12 },
    cha: { value: 8 },
  };
  const common = { abilities, currency: { pp: 1, gp: 25, ep: 0, sp: 10, cp: 7 } };
  const hp = { value: 20, max: 28, temp: 0 };
  const akra = {
    attributes: { hp },
    skills: { ste: { value: 1 }, prc: { value: 1 } },
    spells: { spell1: { value: 2, override: 2 } },
    details: { xp: { value: 900 } },
  };
  return [
    {
      _id: 'acAkra0000000000',
      name: 'Akra',
      type: 'character',
      items: items(family),
      system: { ...common, ...akra },
      ownership: { default: 0, plDora0000000000: OWNER },
      prototypeToken: { name: 'Akra', actorLink: true, disposition: 1 },
    },
    {
      _id: 'acTovin000000000',
      name: 'Tovin',
      type: 'character',
      items: [],
      system: { ...common, attributes: { hp: { value: 18, max: 18 } } },
      ownership: { default: 1, plEmil0000000000: OWNER },
      prototypeToken: { name: 'Tovin', actorLink: true, disposition: 1 },
    },
    {
      _id: 'acGoblin00000000',
      name: 'Goblin',
      type: 'npc',
      items: [],
      system: {
        abilities: { dex: { value: 14 } },
        attributes: { hp: { value: 7, max: 7 } },
        details: { cr: 0.25 },
      },
      ownership: { default: 0 },
      prototypeToken: { name: 'Goblin', actorLink: false },
    },
  ].map((actor) => ({
    img: 'icons/svg/mystery-man.svg',
    effects: [],
    flags: {},
    folder: null,
    sort: 0,
    ...actor,
  }));
}

function scene(core, { _id, name, active }) {
  const token = (id, actorId, tokenName, x, linked) => ({
    _id: id,
    actorId,
    name: tokenName,
    x,
    y: 300,
    actorLink: linked,
    hidden: false,
    delta: {},
    disposition: linked ? 1 : -1,
    ...(core >= 14 ? { level: 'lvGround00000000' } : {}),
  });
  const tokens = active
    ? [
        token('tkAkra0000000000', 'acAkra0000000000', 'Akra', 300, true),
        token('tkGoblin00000000', 'acGoblin00000000', 'Goblin', 700, false),
        token('tkGoblin20000000', 'acGoblin00000000', 'Goblin 2', 900, false),
      ]
    : [];
  const wall = { _id: 'waNorth000000000', c: [100, 100, 500, 100] };
  const ground =
    core >= 14
      ? {
          levels: [{ _id: 'lvGround00000000', name: 'Ground', background: { src: 'assets/market.svg' } }],
          initialLevel: 'lvGround00000000',
        }
      : { background: { src: 'assets/market.svg' } };
  return {
    _id,
    name,
    active,
    tokens,
    walls: active ? [wall] : [],
    lights: [],
    width: 2000,
    height: 2000,
    ownership: { default: 0 },
    flags: {},
    folder: null,
    ...ground,
  };
}

const everyone = { ownership: { default: 0 }, flags: {}, folder: null };

const macro = {
  ...everyone,
  _id: 'maHello000000000',
  name: 'Hello',
  type: 'script',
  author: users[0]._id,
  command: 'return { hello: scope.name ?? "world" };',
};
const page = {
  _id: 'jpFirst000000000',
  name: 'First',
  type: 'text',
  text: { content: '<p>The stalls close at midnight.</p>', format: 1 },
};
const sounds = [
  { _id: 'psRain0000000000', name: 'Rain', path: 'assets/rain.ogg', playing: false, repeat: true },
  { _id: 'psWind0000000000', name: 'Wind', path: 'assets/wind.ogg', playing: false },
];

function table(generation) {
  const result = (n) => ({
    _id: `trLoot000000000${n}`,
    type: 'text',
    range: [n, n],
    weight: 1,
    drawn: false,
  });
  const text = (n) => (generation >= 13 ? { name: `Coin ${n}`, description: '' } : { text: `Coin ${n}` });
  const results = [1, 2].map((n) => ({ ...result(n), ...text(n) }));
  return {
    ...everyone,
    _id: 'rtLoot0000000000',
    name: 'Loot',
    formula: '1d2',
    replacement: true,
    displayRoll: true,
    results,
  };
}

function packsOf(family, worldId) {
  const treasures = {
    id: 'world.treasures',
    name: 'treasures',
    label: 'Treasures',
    type: 'Item',
    system: 'dnd5e',
    package: worldId,
    packageType: 'world',
    packageName: worldId,
    locked: false,
  };
  const heroes = {
    ...treasures,
    id: 'dnd5e.heroes',
    name: 'heroes',
    label: 'Heroes',
    type: 'Actor',
    packageType: 'system',
    packageName: 'dnd5e',
    locked: true,
  };
  const sword = { ...items(family)[0], _id: 'paSword000000000', name: 'Flame Tongue', folder: null };
  return new Map([
    [treasures.id, { metadata: treasures, documents: [sword] }],
    [heroes.id, { metadata: heroes, documents: [{ ...actors(family)[2], _id: 'paGoblin00000000' }] }],
  ]);
}

/** The documents and compendia of a new world. */
export function seedWorld({ generation, dnd5eFamily }, { id }) {
  const documents = {
    users: structuredClone(users).map((user) => ({
      password: '',
      permissions: {},
      hotbar: {},
      flags: {},
      ...user,
    })),
    folders: [{ _id: 'foPeople00000000', name: 'People', type: 'Actor', folder: null, flags: {} }],
    actors: actors(dnd5eFamily),
    items: [{ ...items(dnd5eFamily)[0], ...everyone, _id: 'itWorld000000000', name: 'Spare Sword' }],
    scenes: [
      scene(generation, { _id: 'scMarket00000000', name: 'Market', active: true }),
      scene(generation, { _id: 'scCellar00000000', name: 'Cellar', active: false }),
    ],
    journal: [{ ...everyone, _id: 'joNotes000000000', name: 'Notes', pages: [page] }],
    macros: [macro],
    playlists: [{ ...everyone, _id: 'pyNight000000000', name: 'Night', mode: 0, playing: false, sounds }],
    tables: [table(generation)],
    messages: [],
    combats: [],
    cards: [],
    settings: [],
  };
  return structuredClone({ documents, packs: packsOf(dnd5eFamily, id) });
}
