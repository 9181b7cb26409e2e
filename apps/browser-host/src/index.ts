export { startBrowserHost } from './browser-host.ts';
export type { BrowserHost, BrowserHostOptions } from './browser-host.ts';
export { BrowserHostConfigSchema, browserSettings } from './config.ts';
export type { BrowserHostConfig } from './config.ts';
