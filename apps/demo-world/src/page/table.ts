import type { ReadonlySignal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { WorldAction } from '../world/actions.ts';
import type { Actor, Encounter, Scene, Token, WorldState } from '../world/state.ts';
import type { FreshRolls } from './fresh-rolls.ts';

/** The world as every part of the page sees it, and the function that changes it. */
export interface Table {
  state: ReadonlySignal<WorldState>;
  /** False while what is shown may be out of date: then no action can be taken. */
  isLive: ReadonlySignal<boolean>;
  perform: (action: WorldAction) => void;
  rolls: FreshRolls;
}

export const TableContext = createContext<Table | null>(null);

export function useTable(): Table {
  const table = useContext(TableContext);
  if (!table) throw new Error('Rendered outside of a table');
  return table;
}

export function activeScene(state: WorldState): Scene | undefined {
  return state.scenes.find((scene) => scene.id === state.activeSceneId);
}

export function currentEncounter(state: WorldState): Encounter | undefined {
  return state.encounters.find((encounter) => encounter.id === state.currentEncounterId);
}

/** The token whose turn it is, once the encounter has begun. */
export function tokenWithTurn(state: WorldState): string | undefined {
  const encounter = currentEncounter(state);
  return encounter?.started ? encounter.combatants[encounter.turn]?.tokenUuid : undefined;
}

export function actorOf(state: WorldState, uuid: string): Actor | undefined {
  return state.actors.find((actor) => actor.uuid === uuid);
}

/** A token of any scene: a fight goes on while another scene is shown. */
export function tokenOf(state: WorldState, uuid: string): Token | undefined {
  return state.scenes.flatMap(({ tokens }) => tokens).find((token) => token.uuid === uuid);
}

/** The token that was selected last and stands on the scene that is shown. */
export function selectedToken(state: WorldState): Token | undefined {
  const tokens = activeScene(state)?.tokens ?? [];
  return state.selection.map((uuid) => tokens.find((token) => token.uuid === uuid)).findLast(Boolean);
}
