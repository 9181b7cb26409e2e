import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Endpoints } from './endpoint.ts';
import { nullable } from './fields.ts';

const RelayStatus = Type.Object(
  {
    status: Type.Literal('ok'),
    version: Type.String(),
    instanceId: Type.String(),
    websocket: Type.String(),
    headless: Type.Boolean(),
    idempotencyKeptMs: Type.Integer({
      description:
        'How long the relay knows the `Idempotency-Key` of a command, in ms. One that says nothing of it ignores that header, and a repeat is a second command.',
    }),
    registration: Type.Enum(['open', 'closed']),
    demoWorld: nullable(Type.String(), {
      description: 'Address of a demo world’s page; with `?own` it is a world in the browser that opens it.',
    }),
  },
  { title: 'RelayStatus' },
);

export const serviceEndpoints = {
  getStatus: {
    method: 'GET',
    path: '/api/status',
    summary: 'Tell the version and what this relay offers',
    auth: 'none',
    origin: 'any',
    answer: RelayStatus,
  },
} as const satisfies Endpoints;

export type RelayStatus = Static<typeof RelayStatus>;
