import { readFailedJobs, retryFailedJob } from '@tabletop-relay/jobs';
import { emailsOf, findAccount } from '../accounts/operator.ts';
import { readDeadLetters, sendDeadLetters } from '../notifications/dead-letters.ts';
import { readAllWorlds } from '../worlds/known-clients.ts';
import { askJobs, askPostgres, askRedis, StoreAway } from './ask-store.ts';
import { maxRows, printTable, printTime } from './command.ts';
import type { AdminCommand, AdminDeps, Answer } from './command.ts';

/** Commands on worlds of accounts, and on what could not be delivered. */
export const worldCommands: Readonly<Record<string, AdminCommand>> = {
  worlds: {
    takes: '[e-mail]',
    summary: 'paired worlds, of one account or of all: where they are and when they were seen',
    run: describeWorlds,
  },
  'dead-letters': {
    takes: '[e-mail]',
    summary: 'notifications and jobs that were given up, and why',
    run: describeDeadLetters,
  },
  resend: {
    takes: '<id | all>',
    summary: 'has a notification that was given up tried anew',
    run: resend,
  },
  'retry-job': { takes: '<queue> <id>', summary: 'queues a job that was given up again', run: retryJob },
};

/** The argument's account alone, or all. */
async function accountOf({ db }: AdminDeps, email: string | undefined): Promise<{ accountId?: string }> {
  return email === undefined ? {} : { accountId: (await findAccount(db, email)).id };
}

async function describeWorlds(deps: AdminDeps, [email]: readonly string[]): Promise<Answer> {
  const known = await readAllWorlds(deps.db, { ...(await accountOf(deps, email)), limit: maxRows });
  const emails = await emailsOf(
    deps.db,
    known.map(({ accountId }) => accountId),
  );
  const { findOnline } = deps;
  const ids = known.map(({ clientId }) => clientId);
  const online =
    findOnline &&
    (await orReport(
      deps,
      askRedis('REDIS_URL', () => findOnline(ids)),
    ));
  const worlds = known.map(({ accountId, worldTitle, customName, ...world }) => ({
    ...world,
    title: customName || worldTitle,
    email: emails.get(accountId) ?? '',
    // Without Redis only the relay itself could tell.
    isOnline: online ? online.has(world.clientId) : null,
  }));
  const rows = worlds.map((world) => ({
    id: world.clientId,
    title: world.title,
    'e-mail': world.email,
    state: world.isOnline === null ? '?' : world.isOnline ? 'online' : 'offline',
    instance: world.lastInstanceId,
    'last connected or left': printTime(world.lastSeenAt),
  }));
  return { text: printTable(rows, 'no worlds'), json: { worlds } };
}

async function describeDeadLetters(deps: AdminDeps, [email]: readonly string[]): Promise<Answer> {
  const notifications = await orReport(
    deps,
    askPostgres(() => readNotifications(deps, email)),
  );
  // Jobs belong to no account.
  const jobs =
    email === undefined
      ? await orReport(
          deps,
          askJobs(deps.jobs, () => readFailedJobs(deps.jobs, maxRows)),
        )
      : [];
  const letterRows = notifications?.map((letter) => ({
    id: letter.id,
    'e-mail': letter.email,
    to: `${letter.kind} ${letter.label}`,
    tries: letter.tries,
    'last try': printTime(letter.answeredAt),
    answer: `${letter.answerStatus ?? ''} ${firstLine(letter.answer ?? '')}`.trim(),
  }));
  const jobRows = jobs?.map((job) => ({
    queue: job.queue,
    id: job.id,
    job: job.name,
    tries: job.tries,
    'given up': printTime(job.failedAt),
    reason: firstLine(job.reason),
  }));
  const text = [
    letterRows ? printTable(letterRows, 'no notification was given up') : 'notifications: not known',
  ];
  if (email === undefined)
    text.push(jobRows ? printTable(jobRows, 'no job was given up') : 'jobs: not known');
  return { text: text.join('\n\n'), json: { notifications: notifications ?? null, jobs: jobs ?? null } };
}

async function readNotifications(deps: AdminDeps, email: string | undefined) {
  const letters = await readDeadLetters(deps.db, { ...(await accountOf(deps, email)), limit: maxRows });
  const emails = await emailsOf(
    deps.db,
    letters.map(({ accountId }) => accountId),
  );
  return letters.map(({ accountId, ...letter }) => ({ ...letter, email: emails.get(accountId) ?? '' }));
}

/** Column that a list can do without; undefined if its store did not answer, which is reported. */
async function orReport<T>({ onStoreAway }: AdminDeps, asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof StoreAway)) throw error;
    onStoreAway(error);
    return undefined;
  }
}

/** Answers of foreign servers are printed to a terminal, so they become one line without control characters. */
const firstLine = (text: string): string =>
  text
    .slice(0, 500)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, 80);

async function resend({ db }: AdminDeps, [id = '']: readonly string[]): Promise<Answer> {
  const sent = await sendDeadLetters(db, id === 'all' ? 'all' : { id });
  if (sent === 0 && id !== 'all') throw new Error(`no notification by the id ${id} was given up`);
  return { text: `${sent} notifications will be tried again`, json: { resent: sent } };
}

async function retryJob({ jobs }: AdminDeps, [queue = '', id = '']: readonly string[]): Promise<Answer> {
  if (!(await askJobs(jobs, () => retryFailedJob(jobs, { queue, id }))))
    throw new Error(`no job by the id ${id} was given up in the queue ${queue}`);
  return { text: `${queue} ${id}: queued again`, json: { queue, id, queued: true } };
}
