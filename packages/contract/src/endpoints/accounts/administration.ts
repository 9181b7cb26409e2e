import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Pause } from '../../pause.ts';
import type { Endpoints } from '../endpoint.ts';
import { id, nothing, pageOf, pageQuery, time } from '../fields.ts';
import { AccountSession } from './sessions.ts';

const AdminAccount = Type.Object(
  {
    id,
    email: Type.String(),
    createdAt: time,
    isAdministrator: Type.Boolean(),
    hasSecondFactor: Type.Boolean(),
    rotationRequired: Type.Boolean(),
    disabled: Type.Boolean(),
    clients: Type.Integer(),
    apiKeys: Type.Integer(),
  },
  { title: 'AdminAccount' },
);

const Paused = Type.Object({
  pauses: Type.Array(Pause, { description: 'Those that stand: at most one of each kind.' }),
});

export const administrationEndpoints = {
  listAccounts: {
    method: 'GET',
    path: '/admin/accounts',
    summary: 'List accounts',
    auth: 'administrator',
    origin: 'same',
    query: pageQuery,
    answer: pageOf(AdminAccount),
  },
  forceRotation: {
    method: 'POST',
    path: '/admin/accounts/:id/force-rotation',
    summary: 'Block an account’s API access until its master key is regenerated',
    auth: 'administrator',
    origin: 'same',
    answer: AdminAccount,
  },
  disableAccount: {
    method: 'POST',
    path: '/admin/accounts/:id/disable',
    summary: 'Disable an account',
    description: 'Ends its sessions; they stay ended when it is enabled again.',
    auth: 'administrator',
    origin: 'same',
    answer: AdminAccount,
  },
  enableAccount: {
    method: 'POST',
    path: '/admin/accounts/:id/enable',
    summary: 'Enable an account again',
    auth: 'administrator',
    origin: 'same',
    answer: AdminAccount,
  },
  pauseAccountKey: {
    method: 'POST',
    path: '/admin/accounts/:id/api-keys/:keyId/pause',
    summary: 'Pause a key of an account',
    description: 'As its owner could. Administrators alone lift it.',
    auth: 'administrator',
    origin: 'same',
    answer: Paused,
  },
  resumeAccountKey: {
    method: 'POST',
    path: '/admin/accounts/:id/api-keys/:keyId/resume',
    summary: 'Lift the pause of a key, whoever set it',
    auth: 'administrator',
    origin: 'same',
    answer: Paused,
  },
  pauseAccountClient: {
    method: 'POST',
    path: '/admin/accounts/:id/known-clients/:clientId/pause',
    summary: 'Pause a world of an account',
    description: 'As its owner could. Administrators alone lift it.',
    auth: 'administrator',
    origin: 'same',
    answer: Paused,
  },
  resumeAccountClient: {
    method: 'POST',
    path: '/admin/accounts/:id/known-clients/:clientId/resume',
    summary: 'Lift the pause of a world, whoever set it in the relay',
    description: 'A pause that was set in the tabletop is lifted there alone.',
    auth: 'administrator',
    origin: 'same',
    answer: Paused,
  },
  listAccountSessions: {
    method: 'GET',
    path: '/admin/accounts/:id/sessions',
    summary: 'List the sessions of an account',
    auth: 'administrator',
    origin: 'same',
    query: pageQuery,
    answer: pageOf(AccountSession),
  },
  endAccountSession: {
    method: 'DELETE',
    path: '/admin/accounts/:id/sessions/:sessionId',
    summary: 'End a session of an account',
    auth: 'administrator',
    origin: 'same',
    answer: nothing,
  },
  endAccountSessions: {
    method: 'POST',
    path: '/admin/accounts/:id/end-sessions',
    summary: 'End all sessions of an account',
    auth: 'administrator',
    origin: 'same',
    answer: Type.Object({ ended: Type.Integer({ description: 'How many sessions there were.' }) }),
  },
} as const satisfies Endpoints;

export type AdminAccount = Static<typeof AdminAccount>;
