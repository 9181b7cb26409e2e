import type { BusFailureReason } from './cluster.ts';

/** A question that got no reply. `sent` tells whether the command may have reached the client. */
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

/** The store behind the cluster does not answer. */
export class ClusterUnavailable extends Error {
  override name = 'ClusterUnavailable';
}
