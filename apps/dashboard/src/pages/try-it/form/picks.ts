import type { Operation } from '@tabletop-relay/contract';

/** What a text field names in a world, so that the world can be asked for what there is. */
export interface Named {
  kind: 'Actor' | 'Item' | 'Scene' | 'Playlist' | 'Macro' | 'User';
  /** What the field takes of it. */
  by: 'uuid' | 'id' | 'name';
}

/** One of the things that a field may name. */
export interface PickChoice {
  value: string;
  label: string;
}

const picks: Readonly<Record<string, Named>> = {
  actorUuid: { kind: 'Actor', by: 'uuid' },
  sourceActorUuid: { kind: 'Actor', by: 'uuid' },
  targetActorUuid: { kind: 'Actor', by: 'uuid' },
  targetUuid: { kind: 'Actor', by: 'uuid' },
  actorName: { kind: 'Actor', by: 'name' },
  sourceActorName: { kind: 'Actor', by: 'name' },
  targetActorName: { kind: 'Actor', by: 'name' },
  targetName: { kind: 'Actor', by: 'name' },
  itemUuid: { kind: 'Item', by: 'uuid' },
  abilityUuid: { kind: 'Item', by: 'uuid' },
  itemName: { kind: 'Item', by: 'name' },
  abilityName: { kind: 'Item', by: 'name' },
  spellName: { kind: 'Item', by: 'name' },
  sceneId: { kind: 'Scene', by: 'id' },
  playlistId: { kind: 'Playlist', by: 'id' },
  playlistName: { kind: 'Playlist', by: 'name' },
  userId: { kind: 'User', by: 'id' },
};

/** Fields that many operations have, and that name something else in each group. */
const byGroup: Readonly<Record<string, Readonly<Record<string, Named>>>> = {
  macros: { uuid: { kind: 'Macro', by: 'uuid' } },
  users: { id: { kind: 'User', by: 'id' }, name: { kind: 'User', by: 'name' } },
  scenes: { name: { kind: 'Scene', by: 'name' } },
};

/** What a parameter of an operation names; undefined for what the world has no list of. */
export function pickOf(
  { group, effect }: Pick<Operation, 'group' | 'effect'>,
  parameter: string,
): Named | undefined {
  // Who adds something gives it a new name.
  if (parameter === 'name' && effect === 'adds') return undefined;
  return byGroup[group]?.[parameter] ?? picks[parameter];
}

/** Most that are offered: who has more types a part of the name. */
const mostChoices = 200;

interface Asked {
  clientId: string;
  apiKey: string;
  /** The actor that the form names, for the items that it has. */
  actorUuid: string;
}

/** Asks a world for what a field may name. Nothing where it cannot say. */
export async function readChoices(
  pick: Named,
  { clientId, apiKey, actorUuid }: Asked,
): Promise<PickChoice[]> {
  const read = async (path: string, query: Record<string, string>) => {
    const response = await fetch(`${path}?${new URLSearchParams({ clientId, ...query }).toString()}`, {
      credentials: 'omit',
      headers: { 'x-api-key': apiKey, accept: 'application/json' },
    });
    return response.ok
      ? ((await response.json()) as { data?: unknown; results?: unknown; users?: unknown })
      : {};
  };
  try {
    if (pick.kind === 'User') return choicesIn((await read('/players', {})).users, pick);
    if (pick.kind === 'Item' && actorUuid) {
      const { items } = ((await read('/get', { uuid: actorUuid })).data ?? {}) as { items?: Found[] };
      const whole = (items ?? []).map((item) => ({
        ...item,
        uuid: `${actorUuid}.Item.${item._id ?? item.id ?? ''}`,
      }));
      return choicesIn(whole, pick);
    }
    const query = {
      filter: pick.kind,
      excludeCompendiums: 'true',
      minified: 'true',
      limit: String(mostChoices),
    };
    return choicesIn((await read('/search', query)).results, pick);
  } catch {
    return [];
  }
}

interface Found {
  uuid?: string;
  id?: string;
  _id?: string;
  name?: string;
}

function choicesIn(found: unknown, { by }: Named): PickChoice[] {
  if (!Array.isArray(found)) return [];
  return (found as Found[])
    .flatMap(({ uuid = '', id, _id, name = '' }) => {
      const value = { uuid, name, id: id ?? _id ?? uuid.split('.').at(-1) ?? '' }[by];
      return value ? [{ value, label: name }] : [];
    })
    .toSorted((one, other) => one.label.localeCompare(other.label))
    .slice(0, mostChoices);
}
