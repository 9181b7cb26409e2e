import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Endpoints } from './endpoint.ts';
import { closed, id, nullable, time } from './fields.ts';

const calls = (description: string) => Type.Array(Type.Integer(), { description });
const milliseconds = (description: string) => nullable(Type.Number(), { description });

const SlowAccount = Type.Object(
  {
    accountId: id,
    email: Type.String({ description: 'Empty where the account was deleted meanwhile.' }),
    calls: Type.Integer(),
    refused: Type.Integer(),
    failed: Type.Integer(),
    slowWorld: Type.Integer({ description: 'Calls that took their world over a second.' }),
    slowRelay: Type.Integer({ description: 'Calls that took the relay over a second.' }),
    worldP95: milliseconds('95 of 100 calls took their world at most so many milliseconds.'),
    relayP95: milliseconds('95 of 100 calls took the relay at most so many milliseconds.'),
  },
  { title: 'SlowAccount' },
);

const RelayOverview = Type.Object(
  {
    starts: Type.Array(time, {
      description:
        'When each span begins: 60 minutes, or 144 times ten minutes. The lists of calls have a place for each. The last one is not over.',
    }),
    ok: calls('Calls that succeeded.'),
    refused: calls('Calls that were refused or failed with a status below 500.'),
    failed: calls('Calls that failed with a status from 500.'),
    errors: Type.Array(Type.Object({ code: Type.String(), calls: Type.Integer() }), {
      description: 'Calls that did not succeed, by error code, the most frequent first; 20 at most.',
    }),
    slowestSince: time,
    slowest: Type.Array(SlowAccount, {
      description:
        'Accounts with calls of more than a second since `slowestSince`, which is a full hour: those with most of them first, 20 at most.',
    }),
  },
  { title: 'RelayOverview' },
);

const Queue = Type.Object(
  {
    name: Type.String({
      description: '`jobs` and `notifications` are the workers’, `headless` the browser hosts’.',
    }),
    waiting: Type.Integer({ description: 'Jobs that are due.' }),
    active: Type.Integer({ description: 'Jobs that are being done.' }),
    delayed: Type.Integer({ description: 'Jobs for later: scheduled, or tried again.' }),
    failed: Type.Integer({ description: 'Jobs that were given up; 7 days of them are kept, 1,000 at most.' }),
    oldestMs: Type.Integer({
      description: 'For how many milliseconds the job that was due first waits for a worker.',
    }),
  },
  { title: 'Queue' },
);

const DeadLetter = Type.Object(
  {
    accountId: nullable(id, { description: 'Null: told to the operator.' }),
    email: nullable(Type.String()),
    kind: Type.String({ description: 'What it was sent to: `email`, or the kind of a webhook.' }),
    tries: Type.Integer(),
    createdAt: time,
    answerStatus: nullable(Type.Integer(), {
      description: 'What the receiver answered last. Null where nothing answered.',
    }),
  },
  { title: 'DeadLetter' },
);

const FailedJob = Type.Object(
  { queue: Type.String(), name: Type.String(), tries: Type.Integer(), failedAt: nullable(time) },
  { title: 'FailedJob' },
);

const Queues = Type.Object(
  {
    queues: nullable(Type.Array(Queue), {
      description: 'Null where the store of the queues does not answer.',
    }),
    failedJobs: Type.Array(FailedJob, {
      description: 'The last that were given up; 20 of a queue at most.',
    }),
    notifications: Type.Object(
      {
        looked: Type.Integer({ description: 'How many were looked at: the newest 10,000 at most.' }),
        pending: Type.Integer({ description: 'Those that are still collected or tried.' }),
        failed: Type.Integer({ description: 'Those that were given up.' }),
      },
      { description: 'The notifications of all accounts.' },
    ),
    deadLetters: Type.Array(DeadLetter, {
      description: 'Notifications of all accounts that were given up, the last first; 20 at most.',
    }),
  },
  { title: 'Queues' },
);

const Finding = Type.Object(
  {
    check: Type.String(),
    state: Type.Enum(['ok', 'unchecked', 'warning', 'problem']),
    detail: Type.String(),
    cure: nullable(Type.String()),
  },
  { title: 'Finding' },
);

/** What an operator looks at when something is wrong. None of it names a world, a key or what a call held. */
export const troubleEndpoints = {
  getRelayOverview: {
    method: 'GET',
    path: '/admin/overview',
    summary: 'Count the calls of all accounts, and find the slowest accounts',
    description: 'Each call of a key or an assistant counts, those that an instance keeps no entry of, too.',
    auth: 'administrator',
    origin: 'same',
    query: closed({ span: Type.Optional(Type.Enum(['hour', 'day'], { default: 'hour' })) }),
    answer: RelayOverview,
  },
  getQueues: {
    method: 'GET',
    path: '/admin/queues',
    summary: 'Read the queues of jobs and what was given up',
    description: 'An instance asks the store of the queues once in five seconds at most.',
    auth: 'administrator',
    origin: 'same',
    answer: Queues,
  },
  listFindings: {
    method: 'GET',
    path: '/admin/findings',
    summary: 'Read what the doctor finds on the instance that answers',
    description:
      'The checks of `pnpm admin doctor` by the settings of that instance, without the one that needs a session. They are made when somebody asks, once a minute at most.',
    auth: 'administrator',
    origin: 'same',
    answer: Type.Object({ instanceId: Type.String(), checkedAt: time, items: Type.Array(Finding) }),
  },
} as const satisfies Endpoints;

export type RelayOverview = Static<typeof RelayOverview>;
export type SlowAccount = Static<typeof SlowAccount>;
export type Queues = Static<typeof Queues>;
