import { DockerfileParser } from 'dockerfile-ast';
import type { Instruction } from 'dockerfile-ast';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../k8s/render.ts';

export const text = readFileSync(path.join(root, 'deploy/Dockerfile'), 'utf8');
const file = DockerfileParser.parse(text);

export const targets = ['relay', 'worker', 'browser-host'] as const;
export type Target = (typeof targets)[number];

/** How a container of an image starts, unless it is told otherwise. */
export interface Start {
  /** Program and arguments. */
  entry: string[];
  arguments: string[];
  environment: Record<string, string>;
  /** Ids, as `user:group`. */
  user: string;
  health: string[];
}

export function startOf(target: Target): Start {
  const lines = stageOf(target).filter((instruction) => instruction.getKeyword() === 'ENV');
  const pairs = lines.flatMap((line) => [...(line.getArgumentsContent() ?? '').matchAll(/(\w+)=(\S+)/g)]);
  return {
    entry: JSON.parse(last(target, 'ENTRYPOINT') ?? '') as string[],
    arguments: JSON.parse(last(target, 'CMD') ?? '') as string[],
    environment: Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value])),
    user: last(target, 'USER') ?? '',
    health: JSON.parse(/CMD (\[.*\])/s.exec(last(target, 'HEALTHCHECK') ?? '')?.[1] ?? '') as string[],
  };
}

/** The image that a stage is built from. */
export const baseOf = (stage: string): string | undefined =>
  file
    .getFROMs()
    .find((one) => one.getBuildStage() === stage)
    ?.getImage() ?? undefined;

/** The instructions of a stage after those of the stages that it is built on. */
export function stageOf(name: string): Instruction[] {
  const froms = file.getFROMs();
  const from = froms.find((one) => one.getBuildStage() === name);
  if (!from) return [];
  const start = file.getInstructions().indexOf(from);
  const rest = file.getInstructions().slice(start + 1);
  const end = rest.findIndex((instruction) => instruction.getKeyword() === 'FROM');
  return [...stageOf(from.getImage() ?? ''), ...rest.slice(0, end === -1 ? undefined : end)];
}

/** The arguments of the instruction that holds in the end. */
export const last = (stage: string, keyword: string): string | undefined =>
  stageOf(stage)
    .filter((instruction) => instruction.getKeyword() === keyword)
    .at(-1)
    ?.getArgumentsContent() ?? undefined;
