/** One limit with its default; a setting may change it. */
export interface LimitEntry {
  /** `<count> per <count> <unit>`, with `s`, `min` or `h` as the unit. */
  rate: string;
  /** The things that are counted. */
  counts: string;
  /**
   * Each address, each code of the path, each account, or each holder of an API key or session (its account) has a count
   * of its own. All spellings of a code count together.
   */
  by: 'address' | 'code' | 'account' | 'key';
  /** Only what failed counts: the handler counts it, for the server cannot know. */
  failuresOnly?: true;
}

/**
 * The limits that endpoints name, each of them a setting of the relay: `register` is `LIMIT_REGISTER`. They are counted
 * over the whole cluster.
 */
export const endpointLimits = {
  register: { rate: '5 per 15 min', counts: 'Registrations', by: 'address' },
  login: { rate: '20 per 15 min', counts: 'Failed sign-ins', by: 'address', failuresOnly: true },
  regenerateKey: { rate: '5 per 15 min', counts: 'Rotations of a master key', by: 'address' },
  changePassword: { rate: '5 per 15 min', counts: 'Changes of a password', by: 'address' },
  deleteAccount: { rate: '5 per 15 min', counts: 'Deletions of an account', by: 'address' },
  changeSecondFactor: { rate: '20 per 15 min', counts: 'Changes of second factors', by: 'address' },
  endSession: { rate: '20 per 15 min', counts: 'Ends of a session by its account', by: 'address' },
  forgotPassword: { rate: '3 per 1 h', counts: 'Requests for a reset mail', by: 'address' },
  resetPassword: { rate: '3 per 1 h', counts: 'Resets of a password', by: 'address' },
  sendConfirmation: { rate: '3 per 1 h', counts: 'Mails to confirm an address', by: 'address' },
  confirmEmail: { rate: '20 per 1 h', counts: 'Confirmations of an address', by: 'address' },
  changeNotifications: {
    rate: '30 per 15 min',
    counts: 'Changes of notification settings',
    by: 'address',
  },
  sendNotification: {
    rate: '20 per 15 min',
    counts: 'Test messages, and notifications that are sent again',
    by: 'address',
  },
  pair: { rate: '10 per 15 min', counts: 'Tries of a pairing code', by: 'address' },
  selfUnpair: { rate: '30 per 1 min', counts: 'Browsers that unpair themselves', by: 'address' },
  pairRequestCreate: { rate: '20 per 15 min', counts: 'New pair requests', by: 'address' },
  // A module polls every 3 s and gives up at a refusal: two of its pages that poll in step stay below this.
  pairRequestStatus: { rate: '60 per 1 min', counts: 'Polls of a pair request', by: 'code' },
  keyRequestCreate: { rate: '20 per 15 min', counts: 'New key requests', by: 'address' },
  keyRequestExchange: {
    rate: '20 per 15 min',
    counts: 'Exchanges of a key request’s code',
    by: 'address',
  },
  // The servers of an assistant register a client for each of its people, from a few addresses.
  oauthRegister: { rate: '600 per 1 h', counts: 'Registrations of clients that sign in', by: 'address' },
  oauthToken: {
    rate: '600 per 15 min',
    counts: 'Unknown codes and refresh tokens, and wrong secrets of clients',
    by: 'address',
    failuresOnly: true,
  },
  keyRequestStatus: { rate: '1 per 2 s', counts: 'Polls of a key request', by: 'code' },
  sessionHandshake: { rate: '10 per 1 min', counts: 'Handshakes of headless sessions', by: 'key' },
  clientActive: { rate: '60 per 1 min', counts: 'Questions whether a world is active', by: 'address' },
  // Each change leaves a row in the audit log for a year. A script that sets up hundreds of keys stays below this. What takes
  // a right away is not limited: it can only end what was added before.
  accountChanges: {
    rate: '600 per 15 min',
    counts: 'Changes in a session, at endpoints without a limit of their own',
    by: 'account',
  },
  streamTickets: { rate: '60 per 1 min', counts: 'Tickets for event streams', by: 'key' },
} as const satisfies Record<string, LimitEntry>;

export type LimitName = keyof typeof endpointLimits;
