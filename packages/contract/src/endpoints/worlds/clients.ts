import { Type } from 'typebox';
import { ClientList } from '../../world.ts';
import type { Endpoints } from '../endpoint.ts';

export const clientEndpoints = {
  listClients: {
    method: 'GET',
    path: '/clients',
    summary: 'List the worlds that this key may see, online or not',
    auth: 'apiKey',
    scope: 'clients:read',
    origin: 'any',
    answer: ClientList,
  },
  isClientActive: {
    method: 'GET',
    path: '/api/clients/:clientId/active',
    summary: 'Tell whether a world is connected',
    auth: 'none',
    origin: 'any',
    limit: 'clientActive',
    params: { clientId: Type.String({ maxLength: 128 }) },
    answer: Type.Object({ active: Type.Boolean() }),
  },
} as const satisfies Endpoints;
