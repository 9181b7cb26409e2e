import { createSealer, readRelaySecrets } from '@tabletop-relay/database';
import { ConfigError, readConfig } from '@tabletop-relay/process';
import type { Environment } from '@tabletop-relay/process';
import path from 'node:path';
import { checkRelayConfig, RelayConfigSchema, warnOfRelayConfig } from '../config.ts';
import type { RelayConfig } from '../config.ts';
import { version } from '@tabletop-relay/process';
import { checkNames } from './check-names.ts';
import { checkDashboard, checkMail, checkNode, checkOpenFiles } from './check-machine.ts';
import { checkIdentity } from './check-identity.ts';
import { checkPostgres } from './check-postgres.ts';
import { checkRedis } from './check-redis.ts';
import { checkWay, judgeProxies } from './check-way.ts';
import { ok, problem, warning } from './finding.ts';
import type { Finding } from './finding.ts';

export interface DoctorOptions {
  env: Environment;
  /** A session's token, for a stream through the balancer. */
  session?: string;
  now?: () => number;
  /** How long each answer through the balancer may take. */
  withinMs?: number;
}

/** Looks at everything that an instance with these settings needs. It changes nothing. */
export async function examine(options: DoctorOptions): Promise<Finding[]> {
  const { env, session, now = Date.now, withinMs = 10_000 } = options;
  const settings = readSettings(env);
  if ('findings' in settings) return [checkNode(), ...settings.findings, ...checkNames(env)];
  return await examineConfig({
    config: settings.config,
    env,
    now,
    withinMs,
    ...(session !== undefined && { session }),
  });
}

export interface ExamineConfigOptions extends Required<Omit<DoctorOptions, 'session'>> {
  config: RelayConfig;
  session?: string;
}

/** As `examine`, of settings that were read. An instance asks so of its own. */
export async function examineConfig(options: ExamineConfigOptions): Promise<Finding[]> {
  const { config, env, session, now, withinMs } = options;
  const here = [
    checkNode(),
    ...judgeSettings(config),
    ...checkNames(env),
    ...checkOpenFiles(config.maxConnections),
    checkDashboard(dashboard),
  ];
  const asked = await Promise.all([
    bounded('Postgres', examinePostgres(config, now)),
    ...redisServers(config).map(([name, server]) => bounded(name, checkRedis(name, server, now))),
    config.databaseUrl === undefined
      ? []
      : bounded('same Redis', checkIdentity(config.databaseUrl, config.redisUrl)),
    bounded('PUBLIC_URL', examineWay(config, { withinMs, ...(session !== undefined && { session }) })),
    bounded('mail', checkMail(config.smtpUrl)),
  ]);
  return [...here, ...asked.flat()];
}

/** The longest that a part of the checks may take: each of their questions has a shorter bound of its own. */
const partMs = 40_000;

async function bounded(check: string, part: Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  const { promise: late, resolve } = Promise.withResolvers<Finding[]>();
  const timer = setTimeout(
    () =>
      resolve([
        problem(check, `no answer within ${partMs / 1_000} s`, 'Look at its load, and at the way to it.'),
      ]),
    partMs,
  );
  return await Promise.race([part, late]).finally(() => clearTimeout(timer));
}

async function examinePostgres(config: RelayConfig, now: () => number): Promise<Finding[]> {
  const { databaseUrl: url, databasePool: poolSize } = config;
  const secrets = readRelaySecrets(config.relaySecret);
  const keyIds = secrets ? createSealer(secrets).keyIds : [];
  if (url !== undefined) return await checkPostgres({ url, poolSize, keyIds, now });
  const cure = 'Set DATABASE_URL for more than one instance.';
  return [warning('Postgres', 'DATABASE_URL is not set: the embedded one is used', cure)];
}

/** The named stores that do not let an instance in at all, each with what to do about it. */
export async function listStoresAway(config: RelayConfig, now: () => number = Date.now): Promise<string[]> {
  const servers = redisServers(config);
  const asked = await Promise.all([
    config.databaseUrl === undefined ? [] : examinePostgres(config, now),
    ...servers.map(([name, server]) => checkRedis(name, server, now)),
  ]);
  // A finding under the bare name of a store says that it cannot be reached. The doctor reports the rest.
  const names = ['Postgres', ...servers.map(([name]) => name)];
  return asked
    .flat()
    .filter(({ check, state }) => state === 'problem' && names.includes(check))
    .map(({ check, detail, cure }) => `${check}: ${detail}. ${cure}`);
}

async function examineWay(
  { publicUrl, port, trustedProxies }: RelayConfig,
  options: { withinMs: number; session?: string },
): Promise<Finding[]> {
  if (publicUrl !== undefined)
    return [
      ...judgeProxies(publicUrl, trustedProxies),
      ...(await checkWay({ publicUrl, port, version, ...options })),
    ];
  return [warning('PUBLIC_URL', 'is not set: only this machine can use the relay', 'Set PUBLIC_URL.')];
}

const dashboard = path.join(import.meta.dirname, '../../../dashboard/dist');

function readSettings(env: Environment): { config: RelayConfig } | { findings: Finding[] } {
  try {
    return { config: readConfig(RelayConfigSchema, env, checkRelayConfig) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const cure = 'Correct it: docs/reference/configuration.md lists every setting.';
    return { findings: error.problems.map((detail) => problem('settings', detail, cure)) };
  }
}

function judgeSettings(config: RelayConfig): Finding[] {
  const warnings = warnOfRelayConfig(config);
  if (warnings.length === 0) return [ok('settings', 'are valid')];
  return warnings.map((detail) => warning('settings', detail, 'See docs/operations/deploy.md.'));
}

function redisServers({ redisUrl, limitsRedisUrl }: RelayConfig): [name: string, url: string][] {
  const shards = redisUrl.map((url, index): [string, string] => [
    redisUrl.length > 1 ? `REDIS_URL (${index + 1})` : 'REDIS_URL',
    url,
  ]);
  return limitsRedisUrl === undefined ? shards : [...shards, ['LIMITS_REDIS_URL', limitsRedisUrl]];
}

/** For people: what is wrong comes last, where it is seen. */
export function renderFindings(findings: readonly Finding[]): string {
  const order = ['ok', 'unchecked', 'warning', 'problem'];
  const sorted = findings.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const lines = sorted.map(({ check, state, detail, cure }) => {
    const line = `${state.padEnd(9)} ${check}: ${detail}`;
    return cure === undefined ? line : `${line}\n${' '.repeat(10)}-> ${cure}`;
  });
  const count = (state: string) => findings.filter((finding) => finding.state === state).length;
  const counts = `${count('problem')} problems, ${count('warning')} warnings, ${count('unchecked')} not checked`;
  return [...lines, counts].join('\n');
}
