import type { OperationParameters } from '@tabletop-relay/contract';
import type { Ability } from './ability.ts';
import type { CallRecord } from './call-record.ts';
import type { CreatureType } from './creature-type.ts';
import type { Effect } from './effect.ts';
import type { Document } from './document.ts';
import type { PlayedSound } from './played-sound.ts';
import type { StoredDocument } from './store/stored-document.ts';
import type { StoredFile } from './store/stored-file.ts';

/** The state of a world at one moment: plain JSON, replaced and never mutated, so that a page can draw it. */
export interface WorldState {
  world: { id: string; title: string };
  system: { id: string; title: string; version: string };
  tabletopVersion: string;
  modules: readonly { id: string; title: string; version: string; active: boolean }[];
  users: readonly User[];
  scenes: readonly Scene[];
  activeSceneId: string | null;
  actors: readonly Actor[];
  encounters: readonly Encounter[];
  currentEncounterId: string | null;
  /** The documents of all other kinds, by UUID: journals, macros, playlists, what lies on scenes beside tokens. */
  documents: Readonly<Record<string, StoredDocument>>;
  /** The files of the tabletop, by path. What they hold is not part of the state. */
  files: Readonly<Record<string, StoredFile>>;
  /** Sounds that were played by themselves, beside the playlists: oldest first. */
  sounds: readonly PlayedSound[];
  /** UUIDs of the selected tokens. */
  selection: readonly string[];
  /** Oldest first, the last 200. */
  chat: readonly ChatMessage[];
  /** Calls that came through the relay, oldest first, the last 50. */
  calls: readonly CallRecord[];
}

export interface User {
  id: string;
  name: string;
  /** 0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM. */
  role: 0 | 1 | 2 | 3 | 4;
  isGM: boolean;
  active: boolean;
  color: string;
  avatar: string;
  /** The fields of its document that the rules of this world know nothing of. */
  more?: Document;
}

export interface Scene {
  id: string;
  name: string;
  /** Size in grid squares; one square is five feet. */
  columns: number;
  rows: number;
  /** The drawing under the tokens, in grid squares. */
  shapes: readonly SceneShape[];
  tokens: readonly Token[];
  /** The fields of its document that the rules of this world know nothing of. */
  more?: Document;
}

export interface SceneShape {
  kind: 'floor' | 'wall' | 'water' | 'door' | 'pillar' | 'altar' | 'rubble';
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Token {
  /** `Scene.<scene>.Token.<id>`. */
  uuid: string;
  actorUuid: string;
  name: string;
  x: number;
  y: number;
  /** Squares on a side. */
  size: number;
  hidden: boolean;
  color: string;
  /** The fields of its document that the rules of this world know nothing of. */
  more?: Document;
}

export interface DieRoll {
  faces: number;
  results: readonly { value: number; kept: boolean }[];
}

export interface ChatMessage {
  id: string;
  timestamp: number;
  /** The user who posted it. */
  author: { id: string; name: string };
  speaker: string;
  /** For example `Perception check` or `Short rest`. */
  title: string;
  text?: string;
  /** The markup that `text` was taken from. */
  content?: string;
  /** Ids of the users who alone see it, beside its author and game masters. */
  whisper?: readonly string[];
  /** As tabletops count the kinds of messages: 0 other, 1 out of character, 2 in character, 3 emote. */
  style?: number;
  /** UUID of the token or actor in whose name it was sent. */
  speakerUuid?: string;
  roll?: {
    formula: string;
    result: string;
    total: number;
    dice: readonly DieRoll[];
    outcome?: 'success' | 'failure' | 'critical' | 'fumble';
  };
}

export interface Encounter {
  id: string;
  name: string;
  round: number;
  turn: number;
  started: boolean;
  /** In initiative order. */
  combatants: readonly Combatant[];
  /** Ids of the combatants, in the order in which they joined. */
  joined: readonly string[];
}

export interface Combatant {
  id: string;
  name: string;
  tokenUuid: string;
  actorUuid: string;
  img: string;
  initiative: number | null;
  hidden: boolean;
  defeated: boolean;
}

export interface Actor {
  /** `Actor.<id>`; a token with hit points of its own has `Scene.<scene>.Token.<token>.Actor.<id>`. */
  uuid: string;
  name: string;
  kind: 'character' | 'npc';
  img: string;
  /** User ids that own it, beside the GMs. */
  owners: readonly string[];
  /** For example `High elf`; a monster's kind, for example `Undead`. */
  race: string;
  creatureType: CreatureType;
  /** For example `Wizard (School of Evocation)`; empty for monsters. */
  className: string;
  background: string;
  alignment: string;
  /** Character level; 0 for monsters, which have a challenge instead. */
  level: number;
  challenge: number | null;
  experience: number | null;
  speedFeet: number;
  hitPoints: { value: number; max: number; temp: number };
  hitDice: { faces: number; max: number; spent: number };
  deathSaves: { success: number; failure: number };
  /** At 0 hit points: `dying` rolls death saves, `stable` no longer does. */
  life: 'alive' | 'dying' | 'stable' | 'dead';
  abilities: Readonly<Record<Ability, { score: number; saveProficient: boolean }>>;
  /** How often the proficiency bonus counts: 1 proficient, 2 expertise. Absent: not proficient. */
  skills: Readonly<Partial<Record<Skill, 1 | 2>>>;
  /** Armor class of a monster's stat block; characters compute theirs from what they wear. */
  naturalArmor: number | null;
  damageImmunities: readonly string[];
  conditionImmunities: readonly string[];
  conditions: readonly string[];
  concentration: Concentration | null;
  spellcasting: Ability | null;
  /** By spell level, `1` to `9`; those without slots are absent. */
  spellSlots: Readonly<Record<string, { value: number; max: number }>>;
  pactSlots: { value: number; max: number; level: number } | null;
  currency: Readonly<Record<Denomination, number>>;
  items: readonly Item[];
  /** The fields of its document that the rules of this world know nothing of. */
  more?: Document;
}

export type Skill = OperationParameters<'skill-check'>['skill'];
export type Denomination = 'pp' | 'gp' | 'ep' | 'sp' | 'cp';

export interface Concentration {
  /** The effect's id. */
  id: string;
  spell: string;
  itemUuid: string;
  /** Conditions that last as long as it does. */
  imposed: readonly { actorUuid: string; condition: string }[];
}

export type ItemType = 'weapon' | 'equipment' | 'consumable' | 'loot' | 'spell' | 'feat';

export interface Item {
  /** `<actor uuid>.Item.<id>`. */
  uuid: string;
  id: string;
  name: string;
  type: ItemType;
  description: string;
  quantity: number;
  weightPounds: number;
  equipped: boolean;
  attunement: { required: boolean; attuned: boolean };
  charges: Charges | null;
  armor?: { kind: 'light' | 'medium' | 'heavy' | 'shield'; value: number; noisy: boolean };
  /** The bonuses that it gives while worn (and attuned, where that is required). */
  worn?: { armorClass?: number; saves?: number; scores?: Partial<Record<Ability, number>> };
  spell?: {
    /** 0 for cantrips. */
    level: number;
    school: string;
    concentration: boolean;
    ritual: boolean;
    prepared: boolean;
    components: string;
    range: string;
    duration: string;
  };
  /** Name of the item that one use takes one of, for example `Arrow`. */
  ammunition?: string;
  /** Absent: using it only shows its card in the chat. */
  effect?: Effect;
  /** The fields of its document that the rules of this world know nothing of. */
  more?: Document;
}

export interface Charges {
  value: number;
  max: number;
  /** When they return: with a short rest (also a long one), a long rest, or at a new day. */
  recharge: 'short' | 'long' | 'dawn' | null;
  /** How many return; all of them where it is absent. */
  formula?: string;
}
