/** What viewers are shown of those who fight for nobody at the table. */
export const monsterChoices = ['words', 'numbers', 'nothing'] as const;
export type MonsterHealth = (typeof monsterChoices)[number];

/** Percent of the usual size of text. */
export const sizes = [100, 125, 150, 200] as const;

/** What an overlay shows, and how. */
export interface OverlayLook {
  /** Hit points, and of whom. Without them nothing but names and turns is read. */
  showsHealth: boolean;
  monsters: MonsterHealth;
  showsRolls: boolean;
  size: (typeof sizes)[number];
  /** Plates behind the text; without them the picture shows through. */
  hasPlates: boolean;
}

export const usualLook: OverlayLook = {
  showsHealth: true,
  monsters: 'words',
  showsRolls: true,
  size: 100,
  hasPlates: true,
};

/** What the part of the address behind `#` says. No server ever sees it: browsers keep it to themselves. */
export interface OverlayLink extends OverlayLook {
  key: string;
  /** Without it the relay chooses, if the key reaches just one world. */
  client: string | undefined;
  /** The key may read the order of turns and nothing else: no stream is open to it. */
  turnsOnly: boolean;
}

/** Undefined where the key is missing. What is not understood counts as the usual. */
export function readLink(hash: string): OverlayLink | undefined {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const [key, client] = ['key', 'client'].map((name) => fields.get(name)?.trim());
  if (!key) return undefined;
  const shown = fields.get('show')?.split(',');
  const shows = (part: string) => shown?.includes(part) ?? true;
  const monsters = monsterChoices.find((choice) => choice === fields.get('monsters'));
  const size = sizes.find((percent) => String(percent) === fields.get('size'));
  return {
    key,
    client: client || undefined,
    turnsOnly: fields.has('turns-only'),
    showsHealth: shows('health'),
    showsRolls: shows('rolls'),
    monsters: monsters ?? usualLook.monsters,
    size: size ?? usualLook.size,
    hasPlates: fields.get('plates') !== 'none',
  };
}

/** The address of the overlay that shows this. What is as usual is left out. */
export function writeLink(origin: string, link: OverlayLink): string {
  const { key, client, turnsOnly, showsHealth, showsRolls, monsters, size, hasPlates } = link;
  const isAll = showsHealth && showsRolls;
  const fields = new URLSearchParams({
    ...(client && { client }),
    key,
    ...(turnsOnly && { 'turns-only': '' }),
    ...(!isAll && {
      show: ['turns', ...(showsHealth ? ['health'] : []), ...(showsRolls ? ['rolls'] : [])].join(),
    }),
    ...(monsters !== usualLook.monsters && { monsters }),
    ...(size !== usualLook.size && { size: String(size) }),
    ...(!hasPlates && { plates: 'none' }),
  });
  return `${origin}/overlay#${fields.toString()}`;
}
