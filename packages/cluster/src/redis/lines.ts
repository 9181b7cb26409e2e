import type { Connect, Connection } from './connection.ts';
import { reconnect } from './connection.ts';

/** Connections that are remembered by their URL. */
export interface Lines {
  readonly connect: Connect;
  /** Dials all connections to a URL again: its name may lead to another server than when they were made. */
  redial(url: string): void;
}

export function createLines(connect: Connect): Lines {
  const lines = new Map<string, Connection[]>();
  return {
    connect: (url, ...rest) => {
      const line = connect(url, ...rest);
      lines.set(url, [...(lines.get(url) ?? []), line]);
      return line;
    },
    redial: (url) => {
      for (const line of lines.get(url) ?? []) reconnect(line);
    },
  };
}
