import { Type } from 'typebox';
import type { Static } from 'typebox';
import { WorldMetadata } from '../../world.ts';
import { id, nullable, time } from '../fields.ts';

/** The states of a headless session, in the order in which it takes them. `failed` may follow each of the first three. */
export const headlessStates = ['starting', 'active', 'ending', 'ended', 'failed'] as const;

export type HeadlessState = (typeof headlessStates)[number];

/** A session in these states has a browser, or waits for one. */
export const liveHeadlessStates = ['starting', 'active', 'ending'] as const satisfies HeadlessState[];

/** The least that a session keeps of its page's console; each takes in those before it. */
export const consoleLevels = ['error', 'warn', 'debug'] as const;

export type ConsoleLevel = (typeof consoleLevels)[number];

const { customName: _customName, ...world } = WorldMetadata.properties;

/** A session as programs see it. Fields are empty while they are not known. */
export const ActiveSession = Type.Object({
  sessionId: id,
  clientId: Type.String(),
  tabletopUrl: Type.String(),
  username: Type.String(),
  worldName: Type.String({ description: 'What the caller asked for: the world’s id or title.' }),
  ...world,
  state: Type.Enum([...liveHeadlessStates]),
  startedAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  lastActivity: Type.Integer({ description: 'Epoch milliseconds of the last call or event.' }),
});

export const stageNumbers = {
  stage: Type.String({ description: 'What it does now, or did last.' }),
  stageNumber: Type.Integer({ description: 'The place of the stage, from 1; 0: no browser has it yet.' }),
  stages: Type.Integer({ description: 'How many stages there are on the way to the world; 0: not known.' }),
};

/** A session as its account sees it, also for a day after its end. */
export const HeadlessSession = Type.Object({
  id,
  tabletopUrl: Type.String(),
  username: Type.String(),
  worldName: Type.String(),
  worldTitle: Type.String(),
  clientId: Type.String(),
  state: Type.Enum([...headlessStates]),
  ...stageNumbers,
  detail: Type.String({ description: 'Why it ended, failed or was opened again; empty before.' }),
  hasPicture: Type.Boolean({ description: 'Whether a picture of its page is kept.' }),
  hasConsole: Type.Boolean({ description: 'Whether its page’s console is captured.' }),
  startedBy: nullable(id, { description: 'The id of the key; null where it was started in the dashboard.' }),
  createdAt: time,
  lastActivityAt: time,
  endedAt: nullable(time),
});

export type ActiveSession = Static<typeof ActiveSession>;
export type HeadlessSession = Static<typeof HeadlessSession>;
