import type { Cluster } from '@tabletop-relay/cluster';
import { count } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';
import type { Logger } from 'pino';
import type { RunningInstance } from '../../instances/read-instances.ts';
import type { RelayMetrics } from '../../metrics.ts';
import type { ConnectionLog } from '../admission/connection-log.ts';
import type { ClientSocket } from '../client-socket.ts';
import type { ConnectedClients } from '../connected-clients.ts';
import { closeSucceeded, tellToLeave, timeWithin } from './let-go.ts';

export const shedSettings = {
  shedAbovePercent: count(
    125,
    'An instance with more worlds than so many percent of the mean of all instances sends some to the others. 0: never.',
    0,
  ),
  shedPerMinute: count(120, 'Worlds that an instance sends to the others in a minute at most.'),
};

export const shedConstants = {
  /** An instance with fewer worlds sends none away: a difference of a few matters to nobody. */
  shedLeastWorlds: 100,
};

export type ShedSettings = SettingsOf<typeof shedSettings> & typeof shedConstants;

export interface ShedderDeps {
  clients: Pick<ConnectedClients, 'all'>;
  cluster: Cluster;
  connectionLog: Pick<ConnectionLog, 'left'>;
  metrics: Pick<RelayMetrics, 'worldsShed'>;
  settings: ShedSettings;
  log: Logger;
  draining: AbortSignal;
}

/** How long after its time a module may come over. It stays where it is if it does not. */
const graceMs = 5_000;
/** Worlds that are told at the same time come over spread over this time. */
const spreadMs = 4_000;
const savedMs = 10_000;
const minuteMs = 60_000;

/**
 * Gives a new instance its share: an instance far above the mean tells some of its worlds to come over, as a draining one
 * does, and serves each until it has. Only worlds whose module hands over are told, so that no call fails. Where the
 * balancer brings a world back here, it is told again later.
 */
export function createShedder(deps: ShedderDeps): { shed(running: readonly RunningInstance[]): void } {
  const { clients, cluster, metrics, settings, log } = deps;
  let lastMs = performance.now();
  let allowance = 0;

  /** An allowance that is not used adds up for a few seconds only, so that a new instance is not overrun. */
  function takeAllowance(wanted: number): number {
    const now = performance.now();
    const earned = ((now - lastMs) / minuteMs) * settings.shedPerMinute;
    lastMs = now;
    allowance = Math.min(Math.max(1, (settings.shedPerMinute * savedMs) / minuteMs), allowance + earned);
    const taken = Math.min(wanted, Math.floor(allowance));
    allowance -= taken;
    return taken;
  }

  async function send(socket: ClientSocket): Promise<void> {
    const afterMs = timeWithin(spreadMs);
    const how = await tellToLeave(socket, { afterMs, servedMs: afterMs + graceMs }, { cluster }).catch(
      (error: unknown) => {
        log.warn({ err: error }, 'a world could not be told to go to another instance');
        return 'late' as const;
      },
    );
    // During a drain the socket must not stay: the drain lets it go.
    if (how === 'late' && !deps.draining.aborted) socket.stay();
    metrics.worldsShed.labels(how === 'succeeded' ? 'handed_over' : how === 'late' ? 'stayed' : how).inc();
    if (how === 'succeeded') await closeSucceeded(socket, deps);
  }

  return {
    shed(running) {
      if (deps.draining.aborted) return;
      // Worlds that were told already are on their way.
      const staying = [...clients.all()].filter((socket) => !socket.isLeaving);
      const excess = excessOf(staying.length, running, settings);
      // The worlds that have been here longest come first, so that one that has just come over is not sent on.
      const able = staying.filter((socket) => socket.identity.declared.handsOver && socket.isServing);
      const chosen = able.slice(0, takeAllowance(Math.min(excess, able.length)));
      if (chosen.length === 0) return;
      log.info({ worlds: staying.length, excess, told: chosen.length }, 'worlds are sent to other instances');
      for (const socket of chosen) void send(socket);
    },
  };
}

/** How many worlds above the mean an instance has, where that is far above; else 0. */
export function excessOf(
  worlds: number,
  running: readonly Pick<RunningInstance, 'worlds' | 'isDraining'>[],
  { shedAbovePercent, shedLeastWorlds }: ShedSettings,
): number {
  const staying = running.filter(({ isDraining }) => !isDraining);
  if (shedAbovePercent === 0 || staying.length < 2 || worlds < shedLeastWorlds) return 0;
  const mean = running.reduce((sum, instance) => sum + instance.worlds, 0) / staying.length;
  return worlds * 100 > mean * Math.max(shedAbovePercent, 101) ? Math.floor(worlds - mean) : 0;
}
