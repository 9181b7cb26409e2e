import { maybe, orNull } from './module-fact.ts';
import type { ModuleFacts } from './module-fact.ts';

const combatant = {
  id: 'ambush-mira',
  name: 'Mira Thornwood',
  tokenUuid: maybe('Scene.chapel.Token.mira'),
  actorUuid: maybe('Actor.mira'),
  img: orNull('tokens/mira.svg'),
  initiative: orNull(17),
  hidden: false,
  defeated: false,
};

const moved = (action: string) => ({
  encounterId: 'ambush',
  action,
  currentTurn: orNull(0),
  currentRound: 2,
  actorTurn: maybe('Actor.mira'),
  tokenTurn: maybe('Scene.chapel.Token.mira'),
  encounter: { id: 'ambush', name: 'Ambush in the chapel', round: 2, turn: orNull(0) },
});

export const encounters = {
  encounters: {
    http: 'GET /encounters',
    timeoutS: 10,
    reads: '',
    answer: {
      encounters: [
        {
          id: 'ambush',
          name: 'Ambush in the chapel',
          round: 1,
          turn: orNull(0),
          current: true,
          combatants: [combatant],
        },
      ],
    },
    refusal: { encounters: [] },
  },
  'start-encounter': {
    http: 'POST /start-encounter',
    timeoutS: 10,
    reads: 'name? tokenUuids? startWithPlayers? startWithSelected? rollNPC? rollAll?',
    answer: {
      encounterId: 'ambush',
      encounter: {
        id: 'ambush',
        name: 'Ambush in the chapel',
        round: 1,
        turn: 0,
        combatants: [combatant],
      },
    },
  },
  'end-encounter': {
    http: 'POST /end-encounter',
    timeoutS: 10,
    reads: 'encounterId?',
    answer: { encounterId: 'ambush', message: 'Ambush in the chapel ended' },
  },
  'next-turn': {
    http: 'POST /next-turn',
    timeoutS: 10,
    reads: 'encounterId?',
    answer: moved('nextTurn'),
  },
  'next-round': {
    http: 'POST /next-round',
    timeoutS: 10,
    reads: 'encounterId?',
    answer: moved('nextRound'),
  },
  'last-turn': {
    http: 'POST /last-turn',
    timeoutS: 10,
    reads: 'encounterId?',
    answer: moved('previousTurn'),
  },
  'last-round': {
    http: 'POST /last-round',
    timeoutS: 10,
    reads: 'encounterId?',
    answer: moved('previousRound'),
    refusal: { type: 'encounter-navigation' },
  },
  'add-to-encounter': {
    http: 'POST /add-to-encounter',
    timeoutS: 10,
    reads: 'encounterId? uuids? selected? rollInitiative?',
    answer: {
      encounterId: 'ambush',
      added: ['Scene.chapel.Token.cultist'],
      failed: [{ uuid: 'Actor.nobody', reason: 'Token not found' }],
    },
  },
  'remove-from-encounter': {
    http: 'POST /remove-from-encounter',
    timeoutS: 10,
    reads: 'encounterId? uuids? selected?',
    answer: {
      encounterId: 'ambush',
      removed: ['Scene.chapel.Token.ghoul-2'],
      failed: [{ uuid: 'Actor.nobody', reason: 'Token not found' }],
    },
  },
} satisfies ModuleFacts;
