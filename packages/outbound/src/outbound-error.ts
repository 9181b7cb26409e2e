export type OutboundFailure =
  'address_refused' | 'host_not_found' | 'https_required' | 'timed_out' | 'unreachable';

/** The message may be shown to the account that named the host: it says nothing of the network behind the relay. */
export class OutboundError extends Error {
  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutboundError';
    this.failure = failure;
  }
}
