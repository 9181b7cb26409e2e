import type { Encounter, WorldState } from '../state.ts';

/**
 * A state without what stands for something that is gone: tokens of deleted actors, sheets and combatants of deleted
 * tokens, and the selection of either.
 */
export function withoutDangling(state: WorldState): WorldState {
  const sheets = new Set(state.actors.map(({ uuid }) => uuid));
  const scenes = state.scenes.every(({ tokens }) => tokens.every((token) => sheets.has(token.actorUuid)))
    ? state.scenes
    : state.scenes.map((scene) => ({
        ...scene,
        tokens: scene.tokens.filter((token) => sheets.has(token.actorUuid)),
      }));
  const tokens = new Set(scenes.flatMap((scene) => scene.tokens.map(({ uuid }) => uuid)));
  const onCanvas = scenes.find(({ id }) => id === state.activeSceneId)?.tokens.map(({ uuid }) => uuid) ?? [];
  const hasBody = (uuid: string) => !uuid.includes('.Actor.') || tokens.has(uuid.split('.Actor.')[0]!);
  return {
    ...state,
    scenes,
    actors: keep(state.actors, ({ uuid }) => hasBody(uuid)),
    selection: keep(state.selection, (uuid) => onCanvas.includes(uuid)),
    encounters: state.encounters.some(({ combatants }) => combatants.some(isGone))
      ? state.encounters.map(withoutGone)
      : state.encounters,
  };

  function isGone({ tokenUuid }: { tokenUuid: string }): boolean {
    return !tokens.has(tokenUuid);
  }

  /** The turn stays with the one who has it, or goes to the next. */
  function withoutGone(encounter: Encounter): Encounter {
    const combatants = encounter.combatants.filter((one) => !isGone(one));
    const before = encounter.combatants.slice(0, encounter.turn).filter((one) => !isGone(one)).length;
    return { ...encounter, combatants, turn: before < combatants.length ? before : 0 };
  }
}

function keep<T>(list: readonly T[], isKept: (one: T) => boolean): readonly T[] {
  return list.every(isKept) ? list : list.filter(isKept);
}
