import { startDemoWorld } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import { buildPage } from '../../../apps/demo-world/test/build-page.ts';

/** What a headless session is started with. */
export interface Tabletop {
  tabletopUrl: string;
  username: string;
  password: string;
}

export interface Tabletops {
  /** A demo world of its own, whose module waits for a browser. */
  open(): Promise<Tabletop>;
  close(): Promise<void>;
}

const user = { username: 'Ada', password: 'a demo password' };

/** Demo worlds to log in to, with the page as it is shipped. */
export async function openTabletops(relayUrl: string): Promise<Tabletops> {
  const page = await buildPage();
  const closes: (() => Promise<void>)[] = [page.remove];
  return {
    async open() {
      const world = await startDemoWorld({
        relayUrl,
        storage: memoryStorage(),
        pageDir: page.pageDir,
        passwords: { [user.username]: user.password },
      });
      closes.push(world.close);
      return { tabletopUrl: new URL('login', world.url).href, ...user };
    },
    async close() {
      for (const close of closes.reverse()) await close();
    },
  };
}
