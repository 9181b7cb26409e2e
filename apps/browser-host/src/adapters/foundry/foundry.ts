import type { Page } from 'playwright-core';
import type { Adapter } from '../adapter.ts';
import { logIn } from './log-in.ts';
import { foundryModule } from './module.ts';
import { startWorld } from './start-world.ts';
import { enterWorld } from './world.ts';

/** Foundry VTT 11 to 14, as its users meet it. */
export const foundry: Adapter = {
  name: 'Foundry VTT',
  recognises: (page: Page) =>
    page.evaluate(() => {
      const isCore = (script: HTMLScriptElement) => /\/scripts\/foundry\.m?js/.test(script.src);
      return document.title.includes('Foundry Virtual Tabletop') || [...document.scripts].some(isCore);
    }),
  stages: [
    { name: 'setup', run: startWorld },
    { name: 'login', run: logIn },
    { name: 'world', run: enterWorld },
  ],
  module: foundryModule,
};
