import type { BusFailureReason } from './cluster.ts';

/** A call failed. `sent` tells whether it may have reached the client. */
export class BusFailure extends Error {
  readonly reason: BusFailureReason;
  readonly sent: boolean;
  /** Boot id of the instance that the call was sent to, or that owns the client without serving it. Undefined where none is known. */
  owner: string | undefined;
  constructor(reason: BusFailureReason, sent: boolean, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BusFailure';
    this.reason = reason;
    this.sent = sent;
  }
}

/** The store of the cluster does not answer or refused a request. */
export class ClusterUnavailable extends Error {
  override name = 'ClusterUnavailable';
}
