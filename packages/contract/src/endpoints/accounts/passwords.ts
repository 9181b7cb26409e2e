import { Type } from 'typebox';
import { email, newPassword, password } from './credentials.ts';
import type { Endpoints } from '../endpoint.ts';
import { closed, nothing } from '../fields.ts';
import { secondFactor } from './second-factor.ts';

export const passwordEndpoints = {
  forgotPassword: {
    method: 'POST',
    path: '/auth/forgot-password',
    summary: 'Ask for a link to set a new password',
    description: 'The answer is the same for every address.',
    auth: 'none',
    origin: 'same',
    limit: 'forgotPassword',
    body: closed({ email }),
    answer: Type.Object({ message: Type.String() }),
  },
  resetPassword: {
    method: 'POST',
    path: '/auth/reset-password',
    summary: 'Set a new password by a mailed link',
    auth: 'none',
    origin: 'same',
    limit: 'resetPassword',
    body: closed({
      token: Type.String({
        maxLength: 200,
        description: 'From the mailed link; it works once, for an hour.',
      }),
      password: newPassword,
    }),
    answer: nothing,
    problems: ['overloaded'],
  },
  changePassword: {
    method: 'POST',
    path: '/auth/change-password',
    summary: 'Change your password',
    description: 'Ends your other sessions.',
    auth: 'session',
    origin: 'same',
    limit: 'changePassword',
    body: closed({ currentPassword: password, newPassword, secondFactor }),
    answer: nothing,
    problems: ['credentials_invalid', 'overloaded'],
  },
} as const satisfies Endpoints;
