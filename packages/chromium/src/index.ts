export { findChromium } from './find-chromium.ts';
export { onPath } from './on-path.ts';
export { unpackChromium } from './unpack-chromium.ts';
export type { Chromium } from './unpack-chromium.ts';
