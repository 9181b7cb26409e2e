import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Paint, PictureKind } from '../world/outside.ts';

/** Input of the painting thread. */
export interface PaintJob extends PictureKind {
  svg: string;
  renderer: WebAssembly.Module;
  font: Uint8Array;
}

const timeoutMs = 20_000;

/** The picture that is being painted: one at a time, because each takes a processor. */
let last: Promise<unknown> = Promise.resolve();

/** Paints in a thread of its own: the world may live in the relay's process, which must not wait. */
export const paint: Paint = (svg, kind) => {
  const painted = last.then(async () => paintInThread({ svg, ...kind, ...(await loadTools()) }));
  last = painted.catch(() => undefined);
  return painted;
};

let tools: Promise<Pick<PaintJob, 'renderer' | 'font'>> | undefined;

/** Loads what painting needs with the first picture. The font comes with it, because a server may have none. */
function loadTools(): Promise<Pick<PaintJob, 'renderer' | 'font'>> {
  const renderer = import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm');
  const font = import.meta
    .resolve('@expo-google-fonts/im-fell-english-sc/400Regular/IMFellEnglishSC_400Regular.ttf');
  tools ??= (async () => ({
    renderer: await WebAssembly.compile(await readFile(new URL(renderer))),
    font: await readFile(new URL(font)),
  }))();
  return tools;
}

function paintInThread(workerData: PaintJob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const worker = new Worker(new URL('./paint-thread.ts', import.meta.url), { workerData });
  const timer = setTimeout(() => {
    reject(new Error('Painting took too long'));
    void worker.terminate();
  }, timeoutMs);
  worker.on('message', (message: unknown) => {
    // Under `node --watch` a thread also reports each module that it loads.
    if (!(message instanceof Uint8Array)) return;
    resolve(`data:image/${workerData.format};base64,${Buffer.from(message).toString('base64')}`);
  });
  worker.once('error', reject);
  worker.once('exit', () => {
    clearTimeout(timer);
    reject(new Error('The thread ended without a picture'));
  });
  return promise;
}
