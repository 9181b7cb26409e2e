export { createModule } from './create-module.ts';
export { OperationRefused, PairingError, RelayError, RemoteRequestError } from './errors.ts';
export type {
  CommandCaller,
  CommandContext,
  Handler,
  Handlers,
  OperationName,
  OperationResult,
  TraceCommand,
} from './commands/handlers.ts';
export { memoryStorage, webStorage } from './pairing/storage.ts';
export type { BrowserSettings, ModuleStorage, StoredSettings, WorldSettings } from './pairing/storage.ts';
export type {
  EventData,
  EventOptions,
  GivenEvent,
  KnownClient,
  KnownClients,
  ModuleDeclarations,
  ModuleOptions,
  ModuleStatus,
  RemoteResult,
  TabletopModule,
  WorldPause,
} from './tabletop-module.ts';
export type { World } from './world.ts';
export type { Channel, OperationTypes, WireParameters } from '@tabletop-relay/contract/types';
