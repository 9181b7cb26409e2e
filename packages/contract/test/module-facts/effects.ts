import { orNull } from './module-fact.ts';
import type { ModuleFacts } from './module-fact.ts';

export const effects = {
  'get-status-effects': {
    http: 'GET /effects/list',
    timeoutS: 10,
    reads: '',
    answer: {
      data: { effects: [{ id: 'prone', name: 'Prone', icon: orNull('icons/conditions/prone.svg') }] },
    },
  },
  'get-effects': {
    http: 'GET /effects',
    timeoutS: 10,
    reads: 'uuid',
    answer: {
      data: {
        uuid: 'Actor.sable',
        effects: [
          {
            id: 'prone',
            uuid: 'Actor.sable.ActiveEffect.prone',
            name: 'Prone',
            icon: 'icons/conditions/prone.svg',
            disabled: false,
            duration: { startTime: null, seconds: null, rounds: null },
            statuses: ['prone'],
            changes: [{ key: 'system.attributes.ac.bonus', mode: 2, value: '-2' }],
            origin: null,
          },
        ],
      },
    },
  },
  'add-effect': {
    http: 'POST /effects',
    timeoutS: 10,
    reads: 'uuid statusId? effectData?',
    answer: {
      data: {
        uuid: 'Actor.sable',
        effect: orNull({
          id: 'prone',
          uuid: 'Actor.sable.ActiveEffect.prone',
          name: 'Prone',
          icon: 'icons/conditions/prone.svg',
          statuses: ['prone'],
        }),
      },
    },
  },
  'remove-effect': {
    http: 'DELETE /effects',
    timeoutS: 10,
    reads: 'uuid effectId? statusId?',
    answer: { data: { uuid: 'Actor.theron', removedEffectId: 'unconscious' } },
  },
} satisfies ModuleFacts;
