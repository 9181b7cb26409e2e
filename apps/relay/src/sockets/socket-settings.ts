import { bytes, count, milliseconds } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';

/** How much one module may send. */
const inflowSettings = {
  moduleBytesPerSecond: bytes(
    8_388_608,
    'Rate that a module may keep up; above it its socket is read more slowly. A frame that no call waits for counts eightfold if it is parsed, twice if it is dropped.',
  ),
  moduleBurstBytes: bytes(
    134_217_728,
    'Burst that a module may send above its rate. Frames that no call waits for get a quarter of it.',
  ),
  moduleFramesPerSecond: count(1_000, 'Rate of frames that answer no call which a module may keep up.'),
  moduleBurstFrames: count(
    4_000,
    'Burst of frames that answer no call which a module may send above its rate.',
  ),
};

/** How much of what modules answered may wait for its callers. */
const replySettings = {
  replyBytesPerClient: bytes(
    16_777_216,
    'Bytes of large answers of one world that its callers have not read yet; above it its socket is not read. Calls whose answers are expected to take more are refused as `overloaded`.',
  ),
  replyBytesPerAccount: bytes(
    33_554_432,
    'The same for all worlds of an account, and for the answers that come to its callers from other instances.',
  ),
  replyBytes: bytes(
    67_108_864,
    'The same for all worlds of this instance, and for all answers that come from other instances.',
  ),
};

/** The settings of module sockets. */
export const socketSettings = {
  callsInFlightPerClient: count(100, 'Calls that wait for one world, counted at its owner.'),
  heartbeatMs: milliseconds(
    20_000,
    'A module that was quiet for this time is pinged; after twice this time it is disconnected.',
    1_000,
  ),
  maxFrameBytes: bytes(
    16_777_216,
    'Largest frame from a module. A larger one is dropped, and the call that it answers fails; one of more than twice as much closes the connection.',
  ),
  maxEventBytes: bytes(
    1_048_576,
    'Largest event of a module that listeners get; they are told of a larger one as `gap`.',
  ),
  ...inflowSettings,
  ...replySettings,
};

/** Bounds of module sockets that are the same everywhere. */
export const socketConstants = {
  /** Bytes that may wait for a module that reads slowly; above it calls are answered `overloaded`. */
  maxSendQueueBytes: 1_048_576,
  /** Bytes of other worlds’ answers that may wait for a module that reads slowly; further ones are `client_bad_reply`. */
  maxAnswerQueueBytes: 16_777_216,
  /** A larger frame from a module is read only if a call waits for it, or a listener; others are dropped and counted. */
  largeFrameBytes: 262_144,
  /** Larger frames that are read at the same time, half of them of one account at most; other sockets with one wait. */
  largeFramesAtOnce: 8,
  /** A module whose large frame is not whole after this time is closed with 4000. */
  frameTimeoutMs: 30_000,
  /** Log lines per minute and module about bad frames; the next line says how many were left out. */
  frameLogLines: 20,
  /** A module that stays above its rates for this time is closed with 4000. */
  modulePatienceMs: 60_000,
  /** A browser that has served for less is not replaced by one that waits because a person says so. */
  shortestServiceMs: 5_000,
  /** Time for a module’s first frame. */
  authTimeoutMs: 10_000,
  /** Connecting modules whose token and claim are checked at the same time. Few, so that the stores have room for calls. */
  admissionsRunning: 64,
  /** Connecting modules that may wait for their upgrade or their checks; further upgrades are answered with 503. */
  admissionsWaiting: 20_000,
  /**
   * When the checks of a connecting module take longer, the next module no longer waits for them. Asking a browser that is
   * connected already takes longer than this.
   */
  admissionPatienceMs: 250,
  /** How long a connecting module waits, without an answer, while a store cannot be asked; then it is closed with 4000. */
  admissionRetryMs: 60_000,
  /** Connecting modules that may wait so; further ones are closed with 4000. */
  admissionRetries: 10_000,
  /** Pairs of address and world whose attempts to connect are counted separately; beyond it they are counted by address. */
  countedAttempts: 2_000,
};

export type SocketSettings = SettingsOf<typeof socketSettings> & typeof socketConstants;

export function readGateOptions(settings: SocketSettings) {
  return {
    width: settings.admissionsRunning,
    mostWaiting: settings.admissionsWaiting,
    patienceMs: settings.admissionPatienceMs,
  };
}

export function readRetryOptions(settings: SocketSettings) {
  return { waitMs: settings.admissionRetryMs, most: settings.admissionRetries };
}

export function readFramePlaceOptions(settings: SocketSettings) {
  return {
    largeFrameBytes: settings.largeFrameBytes,
    places: settings.largeFramesAtOnce,
    frameMs: settings.frameTimeoutMs,
  };
}

export function readFrameSizes(settings: SocketSettings) {
  const { largeFrameBytes, maxFrameBytes, maxEventBytes } = settings;
  return { largeFrameBytes, maxFrameBytes, maxEventBytes: Math.min(maxEventBytes, maxFrameBytes) };
}

export function readReplyByteLimits(settings: SettingsOf<typeof replySettings>) {
  return {
    ofClient: settings.replyBytesPerClient,
    ofAccount: settings.replyBytesPerAccount,
    ofInstance: settings.replyBytes,
  };
}

export function readSocketLimits(settings: SocketSettings) {
  return {
    callsInFlight: settings.callsInFlightPerClient,
    sendQueueBytes: settings.maxSendQueueBytes,
    replyBytes: settings.replyBytesPerClient,
    answerQueueBytes: settings.maxAnswerQueueBytes,
    inflow: {
      bytesPerSecond: settings.moduleBytesPerSecond,
      burstBytes: settings.moduleBurstBytes,
      framesPerSecond: settings.moduleFramesPerSecond,
      burstFrames: settings.moduleBurstFrames,
      patienceMs: settings.modulePatienceMs,
    },
  };
}
