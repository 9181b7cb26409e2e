import type { Asked, BusFailureReason, Reply } from './cluster.ts';

/** A question failed. `sent` tells whether the command may have reached the client. */
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

/** The result of a question that could not be sent. */
export function refused(failure: BusFailure): Asked<Reply> {
  return { reply: Promise.reject(failure), abandon: () => {} };
}

/** The store of the cluster does not answer or refused a request. */
export class ClusterUnavailable extends Error {
  override name = 'ClusterUnavailable';
}
