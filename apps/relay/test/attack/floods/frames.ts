import type { Flood } from './flood.ts';
import type { FloodRig } from './rig.ts';

/** On the attacker's own, rightful socket. */
const fromModule = ({ nextWorld }: FloodRig, task: { perSecond: number; frame: string; size?: number }) => ({
  kind: 'frames' as const,
  addresses: 1,
  ...nextWorld(),
  ...task,
});

/** On a socket of a caller, with the attacker's own key. */
const fromCaller = (
  { attackerKey }: FloodRig,
  task: { perSecond: number; frame: string; size?: number },
) => ({
  kind: 'frames' as const,
  addresses: 1,
  path: '/ws/api',
  token: attackerKey,
  ...task,
});

export const frameFloods: readonly Flood[] = [
  {
    title: 'notices, 24,000 a second',
    task: (rig) =>
      fromModule(rig, { perSecond: 24_000, frame: '{"type":"module-notify","event":"macro","data":{}}' }),
  },
  {
    title: 'frames of 15 MB that nobody waits for',
    task: (rig) =>
      fromModule(rig, {
        perSecond: 8,
        frame: '{"type":"players-result","requestId":"players_1","users":["{fill}"]}',
        size: 15_000_000,
      }),
  },
  {
    title: 'events of 15 MB that nobody listens to',
    task: (rig) =>
      fromModule(rig, {
        perSecond: 8,
        frame: '{"type":"hook-event","event":"updateScene","data":["{fill}"]}',
        size: 15_000_000,
      }),
  },
  {
    title: 'pings, 40,000 a second',
    task: (rig) => fromModule(rig, { perSecond: 40_000, frame: '{"type":"ping"}' }),
  },
  {
    title: 'unknown frames, 20,000 a second',
    task: (rig) => fromModule(rig, { perSecond: 20_000, frame: '{"type":"nonsense"}' }),
  },
  {
    title: 'calls over a socket of a caller, 5,000 a second',
    task: (rig) =>
      fromCaller(rig, { perSecond: 5_000, frame: '{"type":"players","requestId":"1","clientId":"none"}' }),
  },
  {
    title: 'pings over a socket of a caller, 40,000 a second',
    task: (rig) => fromCaller(rig, { perSecond: 40_000, frame: '{"type":"ping"}' }),
  },
  {
    title: 'messages of 15 MB over a socket of a caller',
    task: (rig) => fromCaller(rig, { perSecond: 8, frame: '{"type":"{fill}"}', size: 15_000_000 }),
  },
];
