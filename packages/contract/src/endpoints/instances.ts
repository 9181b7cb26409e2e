import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Endpoints } from './endpoint.ts';
import { nullable, time } from './fields.ts';

const InstanceLoad = Type.Object(
  {
    instanceId: Type.String(),
    version: Type.String(),
    state: Type.Enum(['ready', 'draining', 'degraded', 'deaf', 'foreign'], {
      description:
        '`degraded`: it does not reach Redis. `deaf`: it reaches Redis and does not hear the other instances. `foreign`: it has come to another Redis than theirs, and serves nothing.',
    }),
    startedAt: time,
    worlds: Type.Integer({ description: 'Worlds whose socket it holds.' }),
    streams: Type.Integer({ description: 'Event streams that are open on it.' }),
    callsPerMinute: Type.Integer({ description: 'Calls that it answered, over the last seconds.' }),
    busyShare: Type.Number({ description: 'From 0 to 1: how much of the time its event loop worked.' }),
    loopDelayMs: nullable(Type.Integer(), {
      description:
        'How many milliseconds work waited for its event loop over the last seconds, 99 of 100 times at most. Null of a version that does not tell.',
    }),
    memoryBytes: Type.Integer({ description: 'Memory of its process.' }),
  },
  { title: 'InstanceLoad' },
);

export const instanceEndpoints = {
  listInstances: {
    method: 'GET',
    path: '/admin/instances',
    summary: 'List the running instances with their load',
    description:
      'Each writes its figures every five seconds (`INSTANCE_REPORT_MS`). One that wrote nothing for thirty is left out.',
    auth: 'administrator',
    origin: 'same',
    answer: Type.Object({ items: Type.Array(InstanceLoad) }),
  },
} as const satisfies Endpoints;

export type InstanceLoad = Static<typeof InstanceLoad>;
