import { Type } from 'typebox';
import { email, newPassword, password } from './credentials.ts';
import type { Endpoints } from '../endpoint.ts';
import { closed, id, nothing, time } from '../fields.ts';
import { secondFactor } from './second-factor.ts';

const accountReference = Type.Object({ id, email: Type.String() });

export const signInEndpoints = {
  register: {
    method: 'POST',
    path: '/auth/register',
    summary: 'Open an account',
    auth: 'none',
    origin: 'same',
    limit: 'register',
    body: closed({ email, password: newPassword }),
    secretAnswer: true,
    answer: Type.Object({
      account: accountReference,
      masterKey: Type.String({ description: 'Shown here and at rotation, never again.' }),
      sessionToken: Type.String(),
      expiresAt: time,
    }),
    problems: ['registration_closed', 'conflict', 'overloaded'],
  },
  login: {
    method: 'POST',
    path: '/auth/login',
    summary: 'Sign in',
    auth: 'none',
    origin: 'same',
    limit: 'login',
    body: closed({ email, password, secondFactor }),
    secretAnswer: true,
    answer: Type.Object({
      account: accountReference,
      sessionToken: Type.String(),
      expiresAt: time,
      rotationRequired: Type.Boolean(),
    }),
    problems: ['credentials_invalid', 'overloaded'],
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    summary: 'End this session',
    auth: 'session',
    openToDisabled: true,
    openWithoutFactor: true,
    origin: 'same',
    answer: nothing,
  },
} as const satisfies Endpoints;
