import { readUsage } from './process-usage.ts';
import type { Usage } from './process-usage.ts';

/** Looks after the memory and threads of browsers. */
export interface UsageWatch {
  /** Tells `onExcess` once, when the browser takes more than it may. Ends with the answered function. */
  watch(leader: number, onExcess: (what: string) => void): () => void;
}

const everyMs = 500;
/** A tabletop's browser has about 150. Each worker of a page is at least one, and the container’s bound is all sessions’. */
export const mostThreads = 400;

/** One for all browsers of a process: a look reads the list of all processes. */
export function createUsageWatch({
  memoryMb,
  read = readUsage,
}: {
  memoryMb: number;
  read?: typeof readUsage;
}): UsageWatch {
  const watched = new Map<number, (what: string) => void>();
  let timer: NodeJS.Timeout | undefined;

  function excessOf({ bytes, threads }: Usage): string | undefined {
    if (bytes > memoryMb * 1_048_576) return `more than ${memoryMb} MiB of memory`;
    return threads > mostThreads ? `more than ${mostThreads} threads, most of them workers` : undefined;
  }

  function look(): void {
    for (const [leader, usage] of read(new Set(watched.keys()))) {
      const excess = excessOf(usage);
      const tell = watched.get(leader);
      if (excess === undefined || !tell) continue;
      leave(leader);
      tell(excess);
    }
  }

  function leave(leader: number): void {
    watched.delete(leader);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch(leader, onExcess) {
      watched.set(leader, onExcess);
      if (process.platform === 'linux') timer ??= setInterval(look, everyMs).unref();
      return () => leave(leader);
    },
  };
}
