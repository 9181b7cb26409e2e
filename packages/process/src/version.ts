import { readFileSync } from 'node:fs';

const file = new URL('../package.json', import.meta.url);

/** The product's semantic version: all apps and packages have one together. */
export const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
