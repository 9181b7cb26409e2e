import { bytes, count, milliseconds } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';

/** How many connecting modules are let in at the same time, and how long their first frame may take. */
const admissionSettings = {
  authTimeoutMs: milliseconds(10_000, 'Time for a module’s first frame.', 1),
  admissionsRunning: count(
    64,
    'Connecting modules whose token and claim are checked at once: few enough to leave the stores room for calls.',
  ),
  admissionsWaiting: count(
    20_000,
    'Connecting modules that may wait for their checks; further ones are closed with 4000.',
  ),
  admissionPatienceMs: milliseconds(
    250,
    'After so long the checks of a connecting module keep no other waiting; asking the browser that is connected already takes longer.',
  ),
  countedAttempts: count(
    2_000,
    'Pairs of address and world whose attempts to connect are counted at once; beyond it they are counted by address.',
  ),
};

/** How much one module may send. */
const inflowSettings = {
  moduleBytesPerSecond: bytes(
    8_388_608,
    'What a module may send on end; above it its socket is read more slowly. What no call waits for counts eightfold where it is parsed, twice where it is dropped.',
  ),
  moduleBurstBytes: bytes(
    134_217_728,
    'What a module may send at once; a quarter of it is for what no call waits for.',
  ),
  moduleFramesPerSecond: count(1_000, 'Frames that answer no call which a module may send on end.'),
  moduleBurstFrames: count(4_000, 'Frames that answer no call which a module may send at once.'),
  modulePatienceMs: milliseconds(
    60_000,
    'After so long above its rates without a rest a module is closed with 4000.',
  ),
};

/** For the sockets of modules. */
export const socketSettings = {
  callsInFlightPerClient: count(100, 'Calls that wait for one world, counted at its owner.'),
  maxSendQueueBytes: bytes(
    1_048_576,
    'What may wait for a module that does not read before its callers are answered `overloaded`.',
  ),
  heartbeatMs: milliseconds(
    20_000,
    'Quiet time after which a module is pinged; after twice as long it is given up.',
    1_000,
  ),
  maxFrameBytes: bytes(16_777_216, 'Largest frame from a module.'),
  largeFrameBytes: bytes(
    262_144,
    'A frame from a module above it is parsed only when a call waits for it; others are dropped and counted.',
  ),
  frameLogLines: count(
    20,
    'Log lines per minute and module about frames that could not be used; the next line says how many were left out.',
  ),
  ...inflowSettings,
  ...admissionSettings,
};

export function readGateOptions(settings: SettingsOf<typeof admissionSettings>) {
  return {
    width: settings.admissionsRunning,
    room: settings.admissionsWaiting,
    patienceMs: settings.admissionPatienceMs,
  };
}

export function readSocketLimits(settings: SettingsOf<typeof socketSettings>) {
  return {
    callsInFlight: settings.callsInFlightPerClient,
    sendQueueBytes: settings.maxSendQueueBytes,
    inflow: {
      bytesPerSecond: settings.moduleBytesPerSecond,
      burstBytes: settings.moduleBurstBytes,
      framesPerSecond: settings.moduleFramesPerSecond,
      burstFrames: settings.moduleBurstFrames,
      patienceMs: settings.modulePatienceMs,
    },
  };
}
