import { packageId } from '../../module-manifest.ts';
import { readSetting, tabletop } from '../tabletop/foundry.ts';
import { parseAddress } from './relay-address.ts';

/** Another module of a relay in this world. */
export interface OtherModule {
  title: string;
  clientId: string;
  pairedRelayUrl: string;
  /** Whether it answers as the world that we answer as. */
  isSameWorld: boolean;
}

/** Found by the two settings that a module of a relay keeps with the world, under whatever id it is installed. */
export function findOtherModule(): OtherModule | undefined {
  const { settings, modules } = tabletop.game;
  for (const key of settings.settings.keys()) {
    const namespace = key.slice(0, -'.pairedRelayUrl'.length);
    if (namespace === packageId || key !== `${namespace}.pairedRelayUrl`) continue;
    if (!settings.settings.has(`${namespace}.clientId`) || !modules.get(namespace)?.active) continue;
    const read = (name: string) => {
      const value = settings.get(namespace, name);
      return typeof value === 'string' ? value : '';
    };
    const clientId = read('clientId');
    return {
      title: modules.get(namespace)?.title ?? namespace,
      clientId,
      pairedRelayUrl: read('pairedRelayUrl'),
      isSameWorld: clientId !== '' && clientId === readSetting('clientId'),
    };
  }
  return undefined;
}

/** Whether two addresses, as people and modules write them, are of one relay. */
export function isSameRelay(one: string, other: string): boolean {
  const place = parseAddress(one)?.host;
  return place !== undefined && place === parseAddress(other)?.host;
}
