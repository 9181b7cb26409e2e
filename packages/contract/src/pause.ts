import { Type } from 'typebox';
import type { Static } from 'typebox';

/** Where a pause was set, and where alone it is lifted. */
export const pausePlaces = ['relay', 'tabletop'] as const;
export type PausePlace = (typeof pausePlaces)[number];

/** ISO 8601, as in `endpoints/fields.ts`, which needs more than problems do. */
const since = Type.String({ format: 'date-time', description: 'Since when.' });
const setIn = Type.Enum(pausePlaces, {
  description: 'Where it was set, and where alone it is lifted: in the relay, or in the tabletop.',
});

/** Why a call was refused as `paused`. */
export const StandingPause = Type.Object(
  { of: Type.Enum(['key', 'world'], { description: 'Which of them is paused.' }), setIn, since },
  { title: 'StandingPause', description: 'What stands in the way, where the code is `paused`.' },
);
export type StandingPause = Static<typeof StandingPause>;

/** A pause of a world, as its modules see it. */
export const WorldPause = Type.Object({ setIn, since }, { title: 'WorldPause' });
export type WorldPause = Static<typeof WorldPause>;

/** A pause of a key or a world, as its account sees it. */
export const Pause = Type.Object(
  {
    setIn,
    since,
    by: Type.Enum(['session', 'administrator', 'operator', 'token'], {
      description:
        'Who set it: you, signed in; an administrator; the operator, from the command line; a paired browser. You lift your own.',
    }),
    userName: Type.String({
      description:
        'The tabletop’s user who set it, as the module names them; empty where it was set in the relay.',
    }),
  },
  { title: 'Pause' },
);
export type Pause = Static<typeof Pause>;
