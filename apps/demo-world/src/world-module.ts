import { channelNames, operations } from '@tabletop-relay/contract';
import type { Channel, OperationName } from '@tabletop-relay/contract';
import { createModule } from '@tabletop-relay/module-sdk';
import type { CommandContext, Handlers, ModuleOptions, TabletopModule } from '@tabletop-relay/module-sdk';
import { stepEvents } from './world/events/step-events.ts';
import { visibleTo } from './world/events/visible-to.ts';
import type { World, WorldChange } from './world/world.ts';

/** Makes the module that answers for a world and publishes its events. It runs in Node and in a page. */
export function createWorldModule(
  world: World,
  options: Omit<ModuleOptions, 'world' | 'handlers' | 'declares'>,
): TabletopModule {
  const { world: about, system, tabletopVersion } = world.state();
  const module = createModule({
    ...options,
    declares: { checksUser: true, filtersEvents: true, wantsCaller: true },
    world: {
      worldId: about.id,
      worldTitle: about.title,
      tabletopVersion,
      systemId: system.id,
      systemTitle: system.title,
      systemVersion: system.version,
    },
    handlers: handlersOf(world),
  });
  world.subscribe((change) => {
    for (const channel of channelNames) publish(module, channel, change);
  });
  return module;
}

/** Every operation of the contract goes to the world the same way. */
function handlersOf(world: World): Handlers {
  const handlers = operations.map(({ name }) => {
    const operation = name as OperationName;
    return [
      operation,
      (parameters: object, { requestId, userId, caller }: CommandContext) =>
        world.receive({ requestId, operation, parameters, userId, program: caller?.name }),
    ];
  });
  return Object.fromEntries(handlers) as Handlers;
}

/** Publishes the events of a step. Without listeners nothing is computed. */
function publish(module: TabletopModule, channel: Channel, { before, state }: WorldChange): void {
  if (module.listeners(channel) === 0) return;
  for (const event of stepEvents[channel](before, state))
    module.emit(channel, event, { visibleTo: visibleTo(channel, event, before, state) });
}
