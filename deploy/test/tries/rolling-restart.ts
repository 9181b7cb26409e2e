import { createAccount } from '@tabletop-relay/testing/scenes';
import { startCalling } from '../../../apps/relay/test/cluster/rolling/calling.ts';
import { keepBareWorld, keepSdkWorld } from '../../../apps/relay/test/cluster/rolling/worlds.ts';
import type { Deployment } from '../acceptance/deployment.ts';
import { keep } from './tries.ts';

const worldsOnSdk = 8;
const bareWorlds = 2;
const callsPerSecond = 30;

/** What a roll-out of the relays breaks: each is replaced by a new one in turn, while worlds are called. */
export async function tryRollingRestart(deployment: Deployment): Promise<string[]> {
  const { outside, proxy, replaceRelay } = deployment;
  const { publicUrl: url } = outside;
  const account = await createAccount(url);
  const headers = { 'x-api-key': await account.createKey() };
  const worlds = [];
  for (let index = 0; index < worldsOnSdk + bareWorlds; index++) {
    const keepWorld = index < worldsOnSdk ? keepSdkWorld : keepBareWorld;
    worlds.push(keepWorld(url, await account.pair()));
  }
  try {
    await Promise.all(worlds.map(({ connected }) => connected));
    const callers = startCalling(url, headers, worlds, { callsPerSecond, proxy });
    const ended = [await replaceRelay('relay-1'), await replaceRelay('relay-2')];
    const { sdk, bare } = await callers.stop();
    const failed = [...sdk.failed, ...bare.failed];
    return [
      ...ended.flatMap(({ code, output }) =>
        keep(`a relay that is replaced ends by itself: ${output}`, code === 0),
      ),
      ...keep('worlds are called throughout', Math.min(sdk.ok, bare.ok) > 0),
      ...keep(`a roll-out is noticed by no caller of a world on our SDK: ${sdk.notSent}`, sdk.notSent === 0),
      ...keep(
        `a roll-out costs others 503s that were not sent alone: ${failed.join('\n')}`,
        failed.length === 0,
      ),
    ];
  } finally {
    for (const world of worlds) world.close();
  }
}
