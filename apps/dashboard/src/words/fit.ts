/** Words of the table, in the singular, for what calls and pages name otherwise. */
const others: Readonly<Record<string, readonly string[]>> = {
  character: ['actor'],
  monster: ['actor'],
  npc: ['actor'],
  hit: ['attribute'],
  hp: ['attribute'],
  point: ['attribute'],
  damage: ['attribute'],
  heal: ['attribute'],
  fight: ['encounter'],
  combat: ['encounter'],
  initiative: ['encounter'],
  dice: ['roll'],
  die: ['roll'],
  map: ['scene'],
  music: ['playlist', 'sound'],
  player: ['user'],
  gold: ['currency'],
  money: ['currency'],
  coin: ['currency'],
  inventory: ['item'],
  xp: ['experience'],
  journal: ['document'],
  condition: ['effect'],
  token: ['key'],
  throttle: ['limit'],
  quota: ['limit'],
  login: ['sign'],
  logout: ['sign'],
};

export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** How well a text fits a word: 2 where the word, its singular or another name of it stands in it, 1 where a word of it begins so; else 0. */
export function fit(text: readonly string[], word: string): 0 | 1 | 2 {
  const singular = word.length > 3 ? word.replace(/s$/, '') : word;
  const names = [word, singular, ...(Object.hasOwn(others, singular) ? others[singular]! : [])];
  if (names.some((name) => text.includes(name) || text.includes(`${name}s`))) return 2;
  return text.some((one) => names.some((name) => one.startsWith(name))) ? 1 : 0;
}
