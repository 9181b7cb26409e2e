/** Where steps are told: a terminal, or a file that a start is logged to. */
export interface StepOutput {
  isTTY?: boolean;
  write(text: string): unknown;
}

export interface Steps {
  /** Does the work of one step and tells its name while it runs, then how long it took. */
  run<T>(name: string, work: () => Promise<T> | T): Promise<T>;
  /** Ends the line of a step that is being given up; nothing more is told. */
  giveUp(): void;
}

const eraseLine = '\r\u001b[K';

/**
 * On a terminal the line of a step counts its seconds. Elsewhere each write is a whole line, because the log may write lines
 * of its own to the same file while a step runs.
 */
export function createSteps(output: StepOutput): Steps {
  let isRunning = false;
  const write = (text: string) => isRunning && output.write(text);
  const end = output.isTTY ? '' : '\n';
  return {
    giveUp() {
      if (output.isTTY) write('\n');
      isRunning = false;
    },
    async run(name, work) {
      isRunning = true;
      const startedAt = performance.now();
      const seconds = (digits: number) => `${((performance.now() - startedAt) / 1000).toFixed(digits)} s`;
      const again = `${output.isTTY ? eraseLine : ''}  ${name} …`;
      write(`  ${name} …${end}`);
      const ticking = output.isTTY ? setInterval(() => write(`${again} ${seconds(0)}`), 1_000) : undefined;
      try {
        return await work();
      } finally {
        clearInterval(ticking);
        write(`${again} ${seconds(1)}\n`);
        isRunning = false;
      }
    },
  };
}
