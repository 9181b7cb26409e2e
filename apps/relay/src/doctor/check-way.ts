import { isLoopbackHost, reasonOf } from '@tabletop-relay/process';
import { WebSocket } from 'ws';
import { ok, problem, warning } from './finding.ts';
import type { Finding } from './finding.ts';

export interface WayToCheck {
  publicUrl: string;
  /** `PORT` of these settings. */
  port: number;
  version: string;
  /** A session's token, with which a stream is opened. */
  session?: string;
  /** How long each answer may take. */
  withinMs: number;
}

/** Goes the way that callers, modules and people go: through the balancer. */
export async function checkWay(way: WayToCheck): Promise<Finding[]> {
  const { version, session } = way;
  const status = await ask(way, '/api/status');
  if ('error' in status) {
    return [
      problem(
        'PUBLIC_URL',
        status.error,
        speaksPlain(status.error)
          ? 'What listens there speaks plain http: put https before the relay, or correct the port in PUBLIC_URL.'
          : 'Make the balancer reachable by this address: name servers, firewall, certificate.',
      ),
    ];
  }
  const { instanceId, version: running } = status.body as { instanceId?: string; version?: string };
  if (status.status !== 200 || instanceId === undefined) {
    return [
      problem(
        'PUBLIC_URL',
        `answers ${status.status}, and not as a relay`,
        'Let the balancer send all paths of this address to the relays.',
      ),
    ];
  }
  return [
    ok('PUBLIC_URL', `${instanceId} answers`),
    running === version
      ? ok('version', version)
      : warning(
          'version',
          `${instanceId} runs ${running}, this is ${version}`,
          'End the roll-out, or run the doctor of that version.',
        ),
    await checkMetrics(way),
    ...(await checkPlainPort(way)),
    await checkSocket(way),
    ...(session === undefined ? [] : [await checkStream(way, session)]),
  ];
}

const speaksPlain = (reason: string): boolean => /wrong version number|packet length too long/i.test(reason);

/** A firewall drops what comes to a closed port, and the doctor waits for it. */
const plainPortMs = 3_000;

/** Behind https the relay itself is reached by the balancer alone: whoever comes past it sends keys in the clear. */
export async function checkPlainPort(
  way: Pick<WayToCheck, 'publicUrl' | 'port' | 'withinMs'>,
): Promise<Finding[]> {
  const { protocol, hostname } = new URL(way.publicUrl);
  if (protocol !== 'https:' || isLoopbackHost(hostname)) return [];
  const publicUrl = `http://${hostname}:${way.port}`;
  const answer = await ask({ publicUrl, withinMs: Math.min(way.withinMs, plainPortMs) }, '/api/status');
  if ('error' in answer || !('instanceId' in answer.body)) return [];
  return [
    warning(
      'plain port',
      `${publicUrl} answers as a relay, without https and past the balancer`,
      'Close PORT to all but the balancer: a firewall, or HOST with an inner address.',
    ),
  ];
}

/** The relay speaks plain http, so that something stands before it where people use https. */
export function judgeProxies(publicUrl: string, trustedProxies: readonly string[]): Finding[] {
  if (!publicUrl.startsWith('https:') || trustedProxies.length > 0) return [];
  return [
    warning(
      'TRUSTED_PROXIES',
      'is not set and PUBLIC_URL is https: all callers have the address of the balancer, and share its limits',
      'Set it to the addresses from which the balancer comes: docs/operations/deploy.md#balancer.',
    ),
  ];
}

type Answered = { status: number; body: object } | { error: string };

async function ask(
  { publicUrl, withinMs }: Pick<WayToCheck, 'publicUrl' | 'withinMs'>,
  path: string,
): Promise<Answered> {
  try {
    const response = await fetch(publicUrl + path, {
      signal: AbortSignal.timeout(withinMs),
      redirect: 'manual',
    });
    const body: unknown = await response.json().catch(() => undefined);
    return { status: response.status, body: typeof body === 'object' && body !== null ? body : {} };
  } catch (error) {
    return { error: reasonOf(error) };
  }
}

async function checkMetrics(way: WayToCheck): Promise<Finding> {
  const answer = await ask(way, '/metrics');
  if ('error' in answer || answer.status !== 200) return ok('metrics', 'are not for callers');
  return problem(
    'metrics',
    'everybody can read /metrics',
    'Send callers to PORT alone; OPS_PORT is for the inside.',
  );
}

/** The relay lets a socket open and waits for its first frame. */
async function checkSocket({ publicUrl, withinMs }: WayToCheck): Promise<Finding> {
  const socket = new WebSocket(`${publicUrl.replace(/^http/, 'ws')}/relay?id=doctor`, {
    handshakeTimeout: withinMs,
  });
  const outcome = await new Promise<string | undefined>((resolve) => {
    socket.once('open', () => resolve(undefined));
    socket.once('unexpected-response', (_request, response) => resolve(`answered ${response.statusCode}`));
    socket.once('error', (error) => resolve(reasonOf(error)));
  });
  socket.on('error', () => {});
  socket.terminate();
  if (outcome === undefined) return ok('WebSocket', 'opens through PUBLIC_URL');
  return problem(
    'WebSocket',
    `does not open through PUBLIC_URL: ${outcome}`,
    'Let the balancer pass `Upgrade` and `Connection` on: docs/operations/deploy.md#balancer.',
  );
}

/** A balancer that holds answers back keeps the first bytes of a stream. */
async function checkStream({ publicUrl, withinMs }: WayToCheck, session: string): Promise<Finding> {
  try {
    const response = await fetch(`${publicUrl}/auth/events`, {
      headers: { authorization: `Bearer ${session}` },
      signal: AbortSignal.timeout(withinMs),
    });
    if (response.status === 401)
      return warning('stream', 'the session is not valid', 'Sign in, and give that token.');
    await response.body?.getReader().read();
    return ok('stream', 'begins at once through PUBLIC_URL');
  } catch {
    return problem(
      'stream',
      `nothing of a stream arrived within ${withinMs} ms`,
      'Switch buffering off in the balancer: `proxy_buffering off` in nginx.',
    );
  }
}
