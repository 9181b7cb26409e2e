import { createId } from './rules/rolls/random.ts';
import type { Random } from './rules/rolls/random.ts';
import type { Actor, ChatMessage, Encounter, Scene, Token, User, WorldState } from './state.ts';

/** One step of the world. What it puts in `state` counts only when the step ends without a refusal. */
export interface Transaction {
  state: WorldState;
  readonly random: Random;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The user who acts; null acts with a GM's access. */
  readonly user: User | null;
}

/** The chat keeps so many messages. */
export const chatLength = 200;

/** Puts an actor in the place of the one with its UUID. */
export function saveActor(tx: Transaction, actor: Actor): void {
  const actors = tx.state.actors.map((old) => (old.uuid === actor.uuid ? actor : old));
  tx.state = { ...tx.state, actors };
}

/** Puts an encounter in the place of the one with its id. */
export function saveEncounter(tx: Transaction, encounter: Encounter): void {
  const encounters = tx.state.encounters.map((old) => (old.id === encounter.id ? encounter : old));
  tx.state = { ...tx.state, encounters };
}

/** Puts a token in the place of the one with its UUID, whatever scene it is in. */
export function saveToken(tx: Transaction, token: Token): void {
  const replaced = (scene: Scene) => ({
    ...scene,
    tokens: scene.tokens.map((old) => (old.uuid === token.uuid ? token : old)),
  });
  const scenes = tx.state.scenes.map((scene) =>
    scene.tokens.some(({ uuid }) => uuid === token.uuid) ? replaced(scene) : scene,
  );
  tx.state = { ...tx.state, scenes };
}

/** Shows a scene to everyone. The selection belongs to the canvas, so a new scene starts without one. */
export function showScene(tx: Transaction, sceneId: string | null): void {
  tx.state = { ...tx.state, activeSceneId: sceneId, selection: [] };
}

/** Posts to the chat, as the user who acts or else the game master, and returns the message's id. */
export function post(tx: Transaction, message: Omit<ChatMessage, 'id' | 'timestamp' | 'author'>): string {
  const id = createId(tx.random);
  const { id: userId, name } = tx.user ?? gameMaster(tx.state);
  const posted = { id, timestamp: tx.now, author: { id: userId, name }, ...message };
  const chat = [...tx.state.chat, posted].slice(-chatLength);
  tx.state = { ...tx.state, chat };
  return id;
}

/** Acting user if none is named. */
export function gameMaster({ users }: WorldState): Pick<User, 'id' | 'name'> {
  return users.find(({ isGM }) => isGM) ?? { id: 'gamemaster', name: 'Gamemaster' };
}
