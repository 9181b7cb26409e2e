/** What the overlay shows. All of it may be seen by everybody: what is hidden at the table never gets in here. */
export interface Picture {
  fight: Fight | null;
  /** By actor UUID. */
  health: ReadonlyMap<string, Health>;
  roll: Roll | null;
}

export interface Fight {
  encounterId: string;
  round: number;
  /** The hidden ones too: they are needed to know whose turn it is. */
  combatants: readonly Combatant[];
  turn: number;
}

/** Combatant of an event or of `GET /encounters`. `hidden` is absent if the module does not say it. */
export interface Combatant {
  id: string;
  name: string;
  actorUuid?: string;
  initiative: number | null;
  defeated: boolean;
  hidden?: boolean;
}

export interface Health {
  value: number;
  max: number;
  /** Whether it is a player’s character; all else counts as a monster. */
  isCharacter: boolean;
}

export interface Roll {
  id: string;
  who: string;
  what: string;
  formula: string;
  total: number;
  isCritical: boolean;
  isFumble: boolean;
}

export const emptyPicture: Picture = { fight: null, health: new Map(), roll: null };

export type Fields = Readonly<Record<string, unknown>>;

/** Applies an event of the combat channel. Undefined if it lacks a field, so that the picture must be read again. */
export function takeCombat(picture: Picture, data: Fields): Picture | undefined {
  const { eventType, encounterId, round, turn, combatants } = data as Fields & Partial<Fight>;
  const isShown = picture.fight?.encounterId === encounterId;
  if (eventType === 'end') return isShown ? undefined : picture;
  if (picture.fight && !isShown && eventType !== 'start') return picture;
  if (!encounterId || !Array.isArray(combatants) || typeof round !== 'number') return undefined;
  const known = new Map(picture.fight?.combatants.map((one) => [one.id, one]));
  const updated = (combatants as Combatant[]).map((one) => ({ ...known.get(one.id), ...one }));
  // Whoever is not known to be seen by all may be an ambush.
  if (updated.some(({ hidden }) => hidden === undefined)) return undefined;
  return { ...picture, fight: { encounterId, round, turn: turn ?? 0, combatants: updated } };
}

/** Takes the hook `updateActor`: its first argument is the actor as it is now. */
export function takeActor(picture: Picture, { args }: Fields): Picture {
  const actor = Array.isArray(args) ? (args[0] as Fields | null | undefined) : undefined;
  const hp = healthOf(actor);
  if (!hp || typeof actor?.['uuid'] !== 'string') return picture;
  return { ...picture, health: new Map([...picture.health, [actor['uuid'], hp]]) };
}

/** Hit points of an actor’s document, where a rules system of this kind has them. */
export function healthOf(actor: unknown): Health | undefined {
  const { type, system } = (actor ?? {}) as {
    type?: unknown;
    system?: { attributes?: { hp?: Partial<Health> } } | null;
  };
  const { value, max } = system?.attributes?.hp ?? {};
  if (typeof value !== 'number' || typeof max !== 'number') return undefined;
  return { value, max, isCharacter: type === 'character' };
}

/** Health in a word, for who must not know the number. Below half is bloodied. */
export function wordOf({ value, max }: Pick<Health, 'value' | 'max'>): string {
  if (value <= 0) return 'Down';
  if (value >= max) return 'Unhurt';
  if (value > max / 2) return 'Hurt';
  return value > max / 4 ? 'Bloodied' : 'Near death';
}

/** Takes a chat message: a roll that was not whispered, so that it shows what the players see. */
export function takeMessage(picture: Picture, { eventType, data }: Fields): Picture {
  const message = (data ?? {}) as Fields;
  const [roll] = (Array.isArray(message['rolls']) ? message['rolls'] : []) as Partial<Roll>[];
  const isPublic = Array.isArray(message['whisper']) && message['whisper'].length === 0;
  if (eventType !== 'create' || !roll || !isPublic || typeof roll.total !== 'number') return picture;
  const { alias } = (message['speaker'] ?? {}) as { alias?: string };
  return {
    ...picture,
    roll: {
      id: textOf(message['id']),
      who: alias ?? '',
      what: textOf(message['flavor']),
      formula: roll.formula ?? '',
      total: roll.total,
      isCritical: roll.isCritical ?? false,
      isFumble: roll.isFumble ?? false,
    },
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** So many actors are asked for at most: a fight with more is a battle that no overlay shows. */
const mostActors = 30;

/** The actors of those whom everybody sees and whose hit points are not known yet. */
export function actorsWithoutHealth({ fight, health }: Picture): string[] {
  const seen = fight ? seenCombatants(fight).flatMap(({ actorUuid }) => actorUuid ?? []) : [];
  return [...new Set(seen)].filter((uuid) => !health.has(uuid)).slice(0, mostActors);
}

/** A read value counts only if no event has changed it since. */
export function withHealth(picture: Picture, read: readonly [string, Health][]): Picture {
  return { ...picture, health: new Map([...read, ...picture.health]) };
}

/**
 * Those whom everybody sees, in the order of turns, and whose turn it is. That is nobody where somebody hidden has an initiative
 * that is not told, because their place in the order is not known then: better no mark than a wrong one.
 */
export function seenCombatants({ combatants, turn }: Fight) {
  const place = ({ initiative }: Combatant) => initiative ?? Number.NEGATIVE_INFINITY;
  const ordered = combatants.toSorted((one, other) => {
    const [first, second] = [place(one), place(other)];
    return first === second ? 0 : second - first;
  });
  const isOrderKnown = combatants.every(
    ({ hidden, initiative }) =>
      !hidden || initiative !== null || combatants.every((one) => one.initiative === null),
  );
  const current = isOrderKnown ? ordered[turn]?.id : undefined;
  return ordered
    .filter(({ hidden }) => hidden === false)
    .map((one) => ({ ...one, hasTurn: one.id === current }));
}
