import { DockerfileParser } from 'dockerfile-ast';
import type { Instruction } from 'dockerfile-ast';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describeConfig } from '@tabletop-relay/process';
import { describe, expect, it } from 'vitest';
import { RelayConfigSchema } from '../../../apps/relay/src/config.ts';
import { renderOverlay, root, workloadsOf } from '../k8s/render.ts';

const text = readFileSync(path.join(root, 'deploy/Dockerfile'), 'utf8');
const file = DockerfileParser.parse(text);

/** The instructions of a stage after those of the stages that it is built on. */
function stageOf(name: string): Instruction[] {
  const froms = file.getFROMs();
  const from = froms.find((one) => one.getBuildStage() === name);
  if (!from) return [];
  const start = file.getInstructions().indexOf(from);
  const rest = file.getInstructions().slice(start + 1);
  const end = rest.findIndex((instruction) => instruction.getKeyword() === 'FROM');
  return [...stageOf(from.getImage() ?? ''), ...rest.slice(0, end === -1 ? undefined : end)];
}

const last = (stage: string, keyword: string) =>
  stageOf(stage)
    .filter((instruction) => instruction.getKeyword() === keyword)
    .at(-1)
    ?.getArgumentsContent();

const targets = [
  ['relay', 'apps/relay/src/main.ts'],
  ['worker', 'apps/worker/src/main.ts'],
  ['browser-host', 'apps/browser-host/src/main.ts'],
] as const;

describe.each(targets)('the image of %s', (target, main) => {
  it('runs Node itself, so that SIGTERM reaches it', () => {
    expect(JSON.parse(last(target, 'ENTRYPOINT') ?? '')).toEqual(['node']);
    expect(JSON.parse(last(target, 'CMD') ?? '')).toEqual([main]);
    expect(existsSync(path.join(root, main))).toBe(true);
  });

  it('runs as the user that Kubernetes is told', () => {
    const [user] = (last(target, 'USER') ?? '').split(':');
    const { pod } = workloadsOf(renderOverlay('production')).find(({ name }) => name === target) ?? {};
    expect(pod?.securityContext).toMatchObject({ runAsUser: Number(user) });
    expect(Number(user)).toBeGreaterThan(0);
  });

  it('sets only what there is to set, and asks for its health where it is served', () => {
    const known = ['NODE_ENV', ...describeConfig(RelayConfigSchema).map(({ name }) => name)];
    const [line = ''] = stageOf(target)
      .filter((instruction) => instruction.getKeyword() === 'ENV')
      .map(String);
    const set = [...line.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value] as const);
    expect(set.filter(([name]) => !known.includes(name ?? ''))).toEqual([]);
    expect(Object.fromEntries(set)).toMatchObject({ HOST: '0.0.0.0', OPS_PORT: '9464' });
    expect(last(target, 'HEALTHCHECK')).toContain('process.env.OPS_PORT}/readyz');
  });

  it('takes its base from an argument, and its files from a stage without development tools', () => {
    const base = file
      .getFROMs()
      .find((from) => from.getBuildStage() === 'process')
      ?.getImage();
    expect(base).toBe('${NODE_IMAGE}');
    expect(text).toContain(`AS ${target}\nCOPY --from=${target}-files /app /app\n`);
    expect(last(`${target}-files`, 'RUN')).toBe(`deploy/image/assemble.sh ${target} /app`);
  });
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
