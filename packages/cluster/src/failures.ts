import type { BusFailureReason } from './cluster.ts';

/** A call failed. `sent` tells whether it may have reached the client. */
export class BusFailure extends Error {
  readonly reason: BusFailureReason;
  readonly sent: boolean;
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
