import type { OperationResult } from '@tabletop-relay/module-sdk';
import type { Actor } from '../../tabletop/documents.ts';
import { findOwnActor } from '../../operations/acting.ts';
import type { SystemHandlers } from '../system.ts';
import { numberOf } from './sheet.ts';
import type { RestResult, Sheet } from './sheet.ts';

export const rests = {
  /** Hit dice are the player's choice: without `autoHD` none are spent. */
  async 'short-rest'({ autoHD = false, autoHDThreshold = 1, ...reference }, { user }) {
    const actor = await findOwnActor(user, { selected: true, ...reference });
    const result = await (actor as Sheet).shortRest({
      ...common,
      newDay: false,
      autoHD,
      autoHDThreshold: missingPoints(actor, autoHDThreshold),
    });
    return { data: { actorUuid: actor.uuid, result: tell('short', result) } };
  },

  async 'long-rest'({ newDay = true, ...reference }, { user }) {
    const actor = await findOwnActor(user, { selected: true, ...reference });
    const result = await (actor as Sheet).longRest({ ...common, newDay });
    return { data: { actorUuid: actor.uuid, result: tell('long', result) } };
  },
} satisfies Partial<SystemHandlers>;

/** A dialog would wait for somebody at this browser. */
const common = { dialog: false, chat: true };

/** The system counts missing hit points below which no more dice are spent; callers give the part of all that is enough. */
function missingPoints(actor: Actor, enough: number): number {
  const max = numberOf(actor, 'attributes.hp.max') ?? 0;
  return max - Math.ceil(Math.min(1, Math.max(0, enough)) * max) + 1;
}

type Told<N extends 'short' | 'long'> = OperationResult<`${N}-rest`>['data']['result'];

/** Undefined: a hook, the world's settings or the kind of actor stopped it. Only what is plain data is told. */
function tell<N extends 'short' | 'long'>(type: N, result: RestResult | undefined): Told<N> {
  if (!result) return { completed: true };
  const { dhp = 0, dhd = 0, newDay = false, longRest = type === 'long', rolls = [] } = result;
  const told = {
    type,
    deltas: result.deltas ?? { hitPoints: dhp, hitDice: dhd },
    updateData: result.updateData ?? {},
    updateItems: result.updateItems ?? [],
    newDay,
    rolls: rolls.map(({ formula, result: text, total }) => ({ formula, result: text, total: total ?? null })),
    clone: result.clone?.toObject() ?? {},
    dhd: result.deltas?.hitDice ?? dhd,
    dhp: result.deltas?.hitPoints ?? dhp,
    longRest,
  };
  return told as unknown as Told<N>;
}
