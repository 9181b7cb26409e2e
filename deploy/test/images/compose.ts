import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { root } from '../k8s/render.ts';

export interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string; target: string };
  extends?: { file: string; service: string };
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  networks?: string[];
  volumes?: string[];
  ports?: string[];
  tmpfs?: string[];
  mem_limit?: string;
  pids_limit?: number;
  depends_on?: Record<string, { condition: string }>;
  stop_grace_period?: string;
  read_only?: boolean;
  cap_drop?: string[];
  healthcheck?: { test?: string[]; disable?: boolean };
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } }>;
  volumes: Record<string, object>;
  secrets: Record<string, { file: string }>;
}

/** A compose file with its anchors and `extends` followed. */
export function readCompose(name: string): ComposeFile {
  const text = readFileSync(path.join(root, 'deploy', name), 'utf8');
  const file = parse(text, { merge: true }) as ComposeFile;
  for (const [key, service] of Object.entries(file.services)) {
    if (!service.extends) continue;
    const base = readCompose(service.extends.file).services[service.extends.service] as ComposeService;
    const environment = { ...base.environment, ...service.environment };
    file.services[key] = { ...base, ...service, environment };
  }
  return file;
}

/** A setting's value as compose would put it in: defaults of `${NAME:-default}`, and of those that must be given. */
export function fillIn(text: string, given: Record<string, string> = {}): string {
  return text.replaceAll(
    /\$\{(\w+)(?::[-?]([^}]*))?\}/g,
    (_all, name: string, fallback = '') => given[name] ?? fallback,
  );
}
