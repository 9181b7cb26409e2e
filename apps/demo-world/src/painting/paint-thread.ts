import { parentPort, workerData } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { encode } from 'jpeg-js';
import type { PaintJob } from './paint-in-node.ts';

/**
 * Paints one picture and ends. The renderer is WebAssembly, because what it cannot draw ends it: as native code it would
 * take the process with it.
 */
const { svg, format, quality, renderer, font } = workerData as PaintJob;
await initWasm(renderer);
const image = new Resvg(svg, {
  background: '#ffffff',
  font: { fontBuffers: [font], defaultFontFamily: 'IM FELL English SC' },
}).render();
const bytes =
  format === 'png'
    ? image.asPng()
    : encode({ data: image.pixels, width: image.width, height: image.height }, quality * 100).data;
parentPort?.postMessage(new Uint8Array(bytes));
