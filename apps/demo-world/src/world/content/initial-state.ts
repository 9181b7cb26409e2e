import type { Actor, Combatant, Encounter, Token, WorldState } from '../state.ts';
import { borin } from './borin.ts';
import { mira } from './mira.ts';
import { documents } from './documents.ts';
import { files } from './files.ts';
import { cultist, ghoul } from './monsters.ts';
import { sable } from './sable.ts';
import { chapel, crypt } from './scenes.ts';
import { theron } from './theron.ts';
import { users } from './users.ts';

const sheets = [mira, borin, sable, theron, ghoul, cultist];
const scenes = [chapel, crypt];
const actors = [...sheets, ...scenes.flatMap(({ tokens }) => tokens.flatMap(ownSheet))];

/** The combatants of the ambush, with their initiative. */
const initiatives = { mira: 17, ghoul: 14, sable: 13, 'ghoul-2': 9, borin: 8, theron: 4 };

const combatants = Object.entries(initiatives).map(([id, initiative]) => combatant(id, initiative));

const ambush: Encounter = {
  id: 'ambush',
  name: 'Ambush in the chapel',
  round: 1,
  turn: 0,
  started: true,
  combatants,
  joined: combatants.map(({ id }) => id),
};

/** The Sunken Chapel as it is found: in mid-fight, with one of the party dying. */
export const initialState: WorldState = {
  world: { id: 'sunken-chapel', title: 'The Sunken Chapel' },
  system: { id: 'dnd5e', title: 'Fifth Edition', version: '5.1.0' },
  tabletopVersion: '13.348',
  modules: [{ id: 'tabletop-relay', title: 'Tabletop Relay', version: '0.1.0', active: true }],
  users,
  scenes,
  activeSceneId: chapel.id,
  actors,
  encounters: [ambush],
  currentEncounterId: ambush.id,
  documents,
  files,
  sounds: [],
  selection: ['Scene.chapel.Token.mira'],
  chat: [
    {
      id: 'ambush-begins',
      timestamp: 1_760_000_000_000,
      author: { id: 'ada', name: 'Ada' },
      speaker: 'Ada',
      title: 'says',
      text: 'Something moves in the black water.',
    },
  ],
  calls: [],
};

/** The sheet of a token that has its own: a copy of the actor that it was made from. */
function ownSheet({ actorUuid, name }: Token): Actor[] {
  const from = sheets.find(({ uuid }) => actorUuid.endsWith(`.${uuid}`));
  if (!from) return [];
  const items = from.items.map((item) => ({ ...item, uuid: `${actorUuid}.Item.${item.id}` }));
  return [{ ...from, uuid: actorUuid, name, items }];
}

function combatant(id: string, initiative: number): Combatant {
  const token = chapel.tokens.find(({ uuid }) => uuid.endsWith(`.${id}`));
  const actor = actors.find(({ uuid }) => uuid === token?.actorUuid);
  if (!token || !actor) throw new Error(`No token ${id} in the chapel`);
  const { uuid: tokenUuid, actorUuid, name, hidden } = token;
  return {
    id: `ambush-${id}`,
    name,
    tokenUuid,
    actorUuid,
    img: actor.img,
    initiative,
    hidden,
    defeated: false,
  };
}
