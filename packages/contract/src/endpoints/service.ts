import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Endpoints } from './endpoint.ts';

const RelayStatus = Type.Object(
  {
    status: Type.Literal('ok'),
    version: Type.String(),
    instanceId: Type.String(),
    websocket: Type.String(),
    headless: Type.Boolean(),
    registration: Type.Enum(['open', 'closed']),
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
