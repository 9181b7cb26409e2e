import { operations } from '@tabletop-relay/contract';
import type { OperationName } from '@tabletop-relay/contract';
import { createModule } from '@tabletop-relay/module-sdk';
import type {
  CommandContext,
  EventData,
  Handlers,
  ModuleOptions,
  TabletopModule,
} from '@tabletop-relay/module-sdk';
import type { TabletopEvent } from './world/events.ts';
import type { World } from './world/world.ts';

/** Makes the module that answers for a world and tells its events; it runs in Node as in a page. */
export function createWorldModule(
  world: World,
  options: Omit<ModuleOptions, 'world' | 'handlers'>,
): TabletopModule {
  const { world: about, system, tabletopVersion } = world.state();
  const module = createModule({
    ...options,
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
  world.subscribe(({ events }) => {
    for (const event of events) tell(module, event);
  });
  return module;
}

/** Every operation of the contract goes to the world the same way. */
function handlersOf(world: World): Handlers {
  const handlers = operations.map(({ name }) => {
    const operation = name as OperationName;
    return [
      operation,
      (parameters: object, { requestId, userId }: CommandContext) =>
        world.receive({ requestId, operation, parameters, userId }),
    ];
  });
  return Object.fromEntries(handlers) as Handlers;
}

function tell(module: TabletopModule, event: TabletopEvent): void {
  if (event.channel === 'hooks') module.sendEvent('hooks', { hook: event.hook, args: [...event.args] });
  else {
    // The world's own rules say which fields its events have.
    const data = { ...event.data, eventType: event.eventType } as EventData<typeof event.channel>;
    module.sendEvent(event.channel, data);
  }
}
