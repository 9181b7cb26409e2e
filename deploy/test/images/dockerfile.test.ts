import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describeConfig } from '@tabletop-relay/process';
import { nodeFlagsOf } from '@tabletop-relay/testing';
import { describe, expect, it } from 'vitest';
import { BrowserHostConfigSchema } from '../../../apps/browser-host/src/config.ts';
import { RelayConfigSchema } from '../../../apps/relay/src/config.ts';
import { WorkerConfigSchema } from '../../../apps/worker/src/config.ts';
import { renderOverlay, root, workloadsOf } from '../k8s/render.ts';
import { baseOf, last, stageOf, startOf, targets, text } from './dockerfile.ts';

const settings = {
  relay: RelayConfigSchema,
  worker: WorkerConfigSchema,
  'browser-host': BrowserHostConfigSchema,
};
/** Of Node and of the system. */
const notOurs = ['NODE_ENV', 'HOME'];

describe.each(targets)('the image of %s', (target) => {
  const start = startOf(target);

  it('runs Node itself, so that SIGTERM reaches it, and where there are browsers what buries their processes', () => {
    const main = `apps/${target}/src/main.ts`;
    const entry = target === 'browser-host' ? ['tini', '--', 'node'] : ['node'];
    const flags = target === 'relay' ? nodeFlagsOf('relay') : [];
    expect([start.entry, start.arguments]).toEqual([entry, [...flags, main]]);
    expect(existsSync(path.join(root, main))).toBe(true);
  });

  it('runs as the user that Kubernetes is told', () => {
    const [user] = start.user.split(':');
    const { pod } = workloadsOf(renderOverlay('production')).find(({ name }) => name === target) ?? {};
    expect(pod?.securityContext).toMatchObject({ runAsUser: Number(user) });
    expect(Number(user)).toBeGreaterThan(0);
  });

  it('sets only what there is to set, and asks for its health where it is served', () => {
    const known = [...notOurs, ...describeConfig(settings[target]).map(({ name }) => name)];
    expect(Object.keys(start.environment).filter((name) => !known.includes(name))).toEqual([]);
    expect(start.environment).toMatchObject({ HOST: '0.0.0.0', OPS_PORT: '9464' });
    expect(start.health.slice(0, 2)).toEqual(['node', '-e']);
    expect(start.health[2]).toContain('process.env.OPS_PORT}/readyz');
  });

  it('takes its base from an argument, and its files from a stage without development tools', () => {
    expect(baseOf('process')).toBe('${NODE_IMAGE}');
    expect(text).toContain(`AS ${target}\nCOPY --from=${target}-files /app /app\n`);
    expect(last(`${target}-files`, 'RUN')).toBe(`deploy/image/assemble.sh ${target} /app`);
  });
});

it('a relay starts with the same flags of V8 in every way that is shipped or told', () => {
  const flags = nodeFlagsOf('relay');
  expect(flags.length).toBeGreaterThan(1);
  expect(nodeFlagsOf('start')).toEqual(flags);
  const unit = readFileSync(path.join(root, 'deploy/systemd/tabletop-relay.service'), 'utf8');
  expect(unit).toContain(`/bin/node ${flags.join(' ')} apps/relay/src/main.ts`);
});

it('the layer of dependencies holds while only sources change', () => {
  const copied = stageOf('store').filter((instruction) => instruction.getKeyword() === 'COPY');
  expect(copied.map((instruction) => instruction.getArgumentsContent())).toEqual([
    'pnpm-lock.yaml pnpm-workspace.yaml ./',
  ]);
  expect(last('store', 'RUN')).toBe('pnpm fetch && rm -rf node_modules');
});

it('images are built with the pnpm that the checks use', () => {
  const versions = [
    '.ci/run',
    'deploy/Dockerfile',
    ...globSync('.github/workflows/*.yml', { cwd: root }),
  ].flatMap((name) =>
    [...readFileSync(path.join(root, name), 'utf8').matchAll(/pnpm@([\d.]+)/g)].map(([, version]) => version),
  );
  expect(versions.length).toBeGreaterThan(1);
  expect(new Set(versions).size).toBe(1);
});
