/* oxlint-disable max-lines -- Generated from packages/contract/src/endpoints by `pnpm docs:generate`; a test compares it. */

/** The fields that each endpoint of the account API takes, and its answer. */
export interface EndpointTypes {
  /** List the worlds that this key may see, online or not. */
  listClients: {
    fields: object;
    answer: {
      clients: {
        clientId: string;
        /** The relay instance that holds the connection, or held the last one; empty: never connected. */
        instanceId: string;
        /** Epoch milliseconds; 0: never connected. */
        lastSeen: number;
        /** Epoch milliseconds; 0: never connected. */
        connectedSince: number;
        /** The tabletop’s id of the world; compared with what was paired. */
        worldId: string;
        /** The world’s title. */
        worldTitle: string;
        /** The tabletop’s version; read from `foundryVersion` too. */
        tabletopVersion: string;
        /** The game system’s id; compared with what was paired. */
        systemId: string;
        /** The game system’s title. */
        systemTitle: string;
        /** The game system’s version. */
        systemVersion: string;
        /** Repeats `tabletopVersion`, for programs that read it so. */
        foundryVersion: string;
        /** The dashboard’s name, else the module’s. Present only when set. */
        customName?: string;
        /** Address and port of the connection; empty: never connected. */
        ipAddress: string;
        /** Name of the connection token; empty: never connected. */
        tokenName: string;
        isOnline: boolean;
        /** How many further browsers wait to serve the world when this one goes: 5 at most. */
        standbys: number;
      }[];
      total: number;
    };
  };
  /** Tell whether a world is connected. */
  isClientActive: {
    fields: {
      clientId: string;
    };
    answer: {
      active: boolean;
    };
  };
  /** Get a key to encrypt a tabletop’s password with. */
  handshake: {
    fields: object;
    answer: {
      /** Works once, within two minutes. */
      token: string;
      /** RSA, as PEM (SPKI). */
      publicKey: string;
      nonce: string;
    };
  };
  /** Log a browser of the relay in to a tabletop, and wait until the world is online. */
  startSession: {
    fields: {
      /** The handshake’s `token`. */
      handshakeToken: string;
      /** The JSON text of `{password, nonce}`, encrypted with `publicKey` by RSA-OAEP with SHA-256, in base64. */
      encryptedPassword: string;
      /** The least that is kept of the page’s console. */
      captureBrowserConsole?: 'error' | 'warn' | 'debug' | undefined;
    };
    answer: {
      success: boolean;
      sessionId: string;
      clientId: string;
    };
  };
  /** End a headless session of this key. */
  endHeadlessSession: {
    fields: {
      sessionId: string;
    };
    answer: {
      status: 'ok';
      message: string;
    };
  };
  /** List the headless sessions of this key that start, run or end. */
  listActiveSessions: {
    fields: object;
    answer: {
      activeSessions: Array<{
        sessionId: string;
        clientId: string;
        tabletopUrl: string;
        username: string;
        /** What the caller asked for: the world’s id or title. */
        worldName: string;
        /** The tabletop’s id of the world; compared with what was paired. */
        worldId: string;
        /** The world’s title. */
        worldTitle: string;
        /** The tabletop’s version; read from `foundryVersion` too. */
        tabletopVersion: string;
        /** The game system’s id; compared with what was paired. */
        systemId: string;
        /** The game system’s title. */
        systemTitle: string;
        /** The game system’s version. */
        systemVersion: string;
        state: 'starting' | 'active' | 'ending';
        /** Epoch milliseconds. */
        startedAt: number;
        /** Epoch milliseconds of the last call or event. */
        lastActivity: number;
      }>;
    };
  };
  /** Make a ticket for an event stream. */
  createStreamTicket: {
    fields: {
      /** The stream. */
      path: '/hooks/subscribe' | '/encounters/subscribe' | '/actor/subscribe' | '/scene/subscribe' | '/chat/subscribe' | '/rolls/subscribe';
      /** Its query: `clientId`, filters, and `lastEventId` to resume from. */
      query?: Record<string, string> | undefined;
    };
    answer: {
      ticket: string;
      /** The address to open, with the ticket in it. */
      url: string;
      /** Seconds in which it must be opened. */
      expiresIn: number;
    };
  };
  /** Ask for a key. */
  createKeyRequest: {
    fields: {
      /** Without line breaks, control or invisible characters. */
      appName: string;
      appDescription?: string | undefined;
      /** An http or https address. */
      appUrl?: string | undefined;
      /** What the key may do. One that acts as a user of a world holds none that goes beyond a user. */
      scopes: Array<'clients:read' | 'session:read' | 'session:manage' | 'encounter:read' | 'encounter:manage' | 'sys5e:read' | 'sys5e:write' | 'roll:execute' | 'roll:read' | 'entity:read' | 'entity:write' | 'search:read' | 'structure:read' | 'structure:write' | 'chat:read' | 'chat:write' | 'effects:read' | 'effects:write' | 'macro:read' | 'macro:execute' | 'macro:write' | 'script:execute' | 'file:read' | 'sheet:read' | 'file:write' | 'scene:read' | 'scene:write' | 'canvas:read' | 'canvas:write' | 'canvas:control' | 'playlist:read' | 'playlist:control' | 'user:read' | 'user:write' | 'world:read' | 'events:subscribe'>;
      /** Calls per calendar month (UTC). */
      suggestedMonthlyLimit?: number | undefined;
      /** The worlds that the key shall reach. A suggestion to who approves; empty: none. */
      clientIds?: string[] | undefined;
      /** By the id of each world the user as whom the key acts there. It then reaches these worlds alone, and holds no scope that goes beyond a user. Null: bound to nobody, so that calls have the game master’s rights. */
      actingUserIds?: Record<string, string> | null | undefined;
      /** In place of `actingUserIds` where the key reaches one world. */
      actingUserId?: string | null | undefined;
      /** When the key shall end. A suggestion to who approves. */
      suggestedExpiry?: string | null | undefined;
      /** An https address, or http on the machine itself; without user and fragment. */
      callbackUrl?: string | undefined;
      /** Base64url of the SHA-256 of a random text of yours. `x-poll-verifier` must then bring the text, so that nobody who saw the approval link gets the key. */
      pollChallenge?: string | undefined;
    };
    answer: {
      code: string;
      approvalUrl: string;
      /** Seconds. */
      expiresIn: number;
      expiresAt: string;
    };
  };
  /** Poll a key request. */
  pollKeyRequest: {
    fields: {
      code: string;
    };
    answer: {
      status: 'pending' | 'approved' | 'denied' | 'expired' | 'exchanged';
      /** Only in the one answer that collects it. */
      apiKey?: string;
      /** What was granted. In the web flow it is told as soon as it is approved, to who brings the verifier where there is one. */
      scopes?: string[];
      /** The worlds that the key reaches; empty: all of the account. */
      clientIds?: string[];
      /** By the id of each world the user as whom it acts there; null: bound to nobody. */
      actingUserIds?: Record<string, string> | null;
      /** That user, where it reaches one world. */
      actingUserId?: string | null;
      /** Repeats `actingUserIds`, for programs that read it so. */
      scopedUserIds?: Record<string, string> | null;
      /** Repeats `actingUserId`, for programs that read it so. */
      scopedUserId?: string | null;
    };
  };
  /** Exchange the code of the web flow for the key. */
  exchangeKeyRequest: {
    fields: {
      code: string;
    };
    answer: {
      apiKey: string;
      /** What was granted. In the web flow it is told as soon as it is approved, to who brings the verifier where there is one. */
      scopes: string[];
      /** The worlds that the key reaches; empty: all of the account. */
      clientIds: string[];
      /** By the id of each world the user as whom it acts there; null: bound to nobody. */
      actingUserIds?: Record<string, string> | null;
      /** That user, where it reaches one world. */
      actingUserId?: string | null;
      /** Repeats `actingUserIds`, for programs that read it so. */
      scopedUserIds?: Record<string, string> | null;
      /** Repeats `actingUserId`, for programs that read it so. */
      scopedUserId?: string | null;
    };
  };
  /** Show a key request. */
  getKeyRequest: {
    fields: {
      code: string;
    };
    answer: {
      appName: string;
      appDescription: string;
      appUrl: string;
      scopes: string[];
      suggestedMonthlyLimit: number | null;
      /** The worlds that the program names, which need not be worlds of yours; empty: none. */
      suggestedClientIds: string[];
      /** The users as whom the program would act, by the ids of these worlds; null: it names none. */
      suggestedActingUserIds: Record<string, string> | null;
      /** When the key shall end, as the program suggests. */
      suggestedExpiry: string | null;
      callbackHost: string | null;
      /** The address that asked. */
      requestedFrom: string;
      status: 'pending' | 'approved' | 'denied' | 'expired' | 'exchanged';
      createdAt: string;
      expiresAt: string;
    };
  };
  /** Approve a key request. */
  approveKeyRequest: {
    fields: {
      code: string;
      /** What the key may do. One that acts as a user of a world holds none that goes beyond a user. */
      scopes?: Array<'clients:read' | 'session:read' | 'session:manage' | 'encounter:read' | 'encounter:manage' | 'sys5e:read' | 'sys5e:write' | 'roll:execute' | 'roll:read' | 'entity:read' | 'entity:write' | 'search:read' | 'structure:read' | 'structure:write' | 'chat:read' | 'chat:write' | 'effects:read' | 'effects:write' | 'macro:read' | 'macro:execute' | 'macro:write' | 'script:execute' | 'file:read' | 'sheet:read' | 'file:write' | 'scene:read' | 'scene:write' | 'canvas:read' | 'canvas:write' | 'canvas:control' | 'playlist:read' | 'playlist:control' | 'user:read' | 'user:write' | 'world:read' | 'events:subscribe'> | undefined;
      clientIds?: string[] | null | undefined;
      /** By the id of each world the user as whom the key acts there. It then reaches these worlds alone, and holds no scope that goes beyond a user. Null: bound to nobody, so that calls have the game master’s rights. */
      actingUserIds?: Record<string, string> | null | undefined;
      /** In place of `actingUserIds` where the key reaches one world. */
      actingUserId?: string | null | undefined;
      monthlyLimit?: number | null | undefined;
      expiresAt?: string | null | undefined;
    };
    answer: {
      status: 'approved' | 'denied';
      /** Where the web flow goes on. */
      redirectUrl?: string;
    };
  };
  /** Deny a key request. */
  denyKeyRequest: {
    fields: {
      code: string;
    };
    answer: {
      status: 'approved' | 'denied';
      /** Where the web flow goes on. */
      redirectUrl?: string;
    };
  };
  /** Show who asks to be signed in. */
  getSignInRequest: {
    fields: {
      /** From the address of the page. It holds the request, which the relay does not keep. */
      code: string;
    };
    answer: {
      /** As the program calls itself: anybody can write any name. */
      clientName: string;
      /** Where the sign-in leads, in ASCII; null: to a program on the computer of the browser. */
      host: string | null;
      /** What the program asks for, without what nobody is given by a sign-in. */
      scopes: string[];
      /** The sign-in of the same program that ends with this one; null: there is none. */
      replaces: {
        name: string;
        createdAt: string;
      } | null;
      /** The address that asked. */
      requestedFrom: string;
      status: 'pending' | 'approved' | 'denied' | 'expired' | 'exchanged';
      /** Why it cannot be decided: what the relay found where the program’s document should be; null: it can. */
      refusal: 'document_unreachable' | 'document_wrong' | 'documents_off' | 'redirect_unknown' | 'busy' | null;
      createdAt: string;
      expiresAt: string;
    };
  };
  /** Sign the program in. */
  approveSignInRequest: {
    fields: {
      /** From the address of the page. It holds the request, which the relay does not keep. */
      code: string;
      /** What the key may do. One that acts as a user of a world holds none that goes beyond a user. */
      scopes: Array<'clients:read' | 'session:read' | 'session:manage' | 'encounter:read' | 'encounter:manage' | 'sys5e:read' | 'sys5e:write' | 'roll:execute' | 'roll:read' | 'entity:read' | 'entity:write' | 'search:read' | 'structure:read' | 'structure:write' | 'chat:read' | 'chat:write' | 'effects:read' | 'effects:write' | 'macro:read' | 'macro:execute' | 'macro:write' | 'script:execute' | 'file:read' | 'sheet:read' | 'file:write' | 'scene:read' | 'scene:write' | 'canvas:read' | 'canvas:write' | 'canvas:control' | 'playlist:read' | 'playlist:control' | 'user:read' | 'user:write' | 'world:read' | 'events:subscribe'>;
      clientIds: string[] | null;
      /** By the id of each world the user as whom the key acts there. It then reaches these worlds alone, and holds no scope that goes beyond a user. Null: bound to nobody, so that calls have the game master’s rights. */
      actingUserIds?: Record<string, string> | null | undefined;
      /** In place of `actingUserIds` where the key reaches one world. */
      actingUserId?: string | null | undefined;
      monthlyLimit?: number | null | undefined;
      expiresAt?: string | null | undefined;
    };
    answer: {
      status: 'approved' | 'denied';
      /** Back to the program, with the code or the refusal. */
      redirectUrl: string;
    };
  };
  /** Refuse the program. */
  denySignInRequest: {
    fields: {
      /** From the address of the page. It holds the request, which the relay does not keep. */
      code: string;
    };
    answer: {
      status: 'approved' | 'denied';
      /** Back to the program, with the code or the refusal. */
      redirectUrl: string;
    };
  };
  /** Make a pairing code. */
  createPairingCode: {
    fields: {
      clientId?: string | undefined;
      /** Other worlds that the token may send requests to. */
      allowedTargetClients?: string[] | undefined;
      /** Scopes that the token holds on other worlds. */
      remoteScopes?: Array<'clients:read' | 'session:read' | 'session:manage' | 'encounter:read' | 'encounter:manage' | 'sys5e:read' | 'sys5e:write' | 'roll:execute' | 'roll:read' | 'entity:read' | 'entity:write' | 'search:read' | 'structure:read' | 'structure:write' | 'chat:read' | 'chat:write' | 'effects:read' | 'effects:write' | 'macro:read' | 'macro:execute' | 'macro:write' | 'script:execute' | 'file:read' | 'sheet:read' | 'file:write' | 'scene:read' | 'scene:write' | 'canvas:read' | 'canvas:write' | 'canvas:control' | 'playlist:read' | 'playlist:control' | 'user:read' | 'user:write' | 'world:read' | 'events:subscribe'> | undefined;
      /** Comma-separated addresses and CIDR ranges; empty: from anywhere. */
      ipAllowlist?: string | undefined;
    };
    answer: {
      /** Six characters; upper and lower case are the same. */
      code: string;
      /** Seconds. */
      expiresIn: number;
      expiresAt: string;
    };
  };
  /** Pair a browser. */
  pair: {
    fields: {
      code: string;
      worldId: string;
      /** The world’s title. Text; more than 200 characters are cut. */
      worldTitle?: unknown;
      /** The tabletop’s version; read from `foundryVersion` too. Text; more than 200 characters are cut. */
      tabletopVersion?: unknown;
      /** The game system’s id; compared with what was paired. Text; more than 200 characters are cut. */
      systemId?: unknown;
      /** The game system’s title. Text; more than 200 characters are cut. */
      systemTitle?: unknown;
      /** The game system’s version. Text; more than 200 characters are cut. */
      systemVersion?: unknown;
      /** The name that the module gives the world; one from the dashboard wins. Text; more than 200 characters are cut. */
      customName?: unknown;
      /** Another name of `tabletopVersion`. Text; more than 200 characters are cut. */
      foundryVersion?: unknown;
      /** The clientId of an earlier pairing. Text; more than 200 characters are cut. */
      existingClientId?: unknown;
      /** A random id of the tabletop’s installation. Text; more than 200 characters are cut. */
      serverFingerprint?: unknown;
    };
    answer: {
      /** Opens the WebSocket for this clientId, from this browser. */
      token: string;
      clientId: string;
      relayUrl: string;
    };
  };
  /** Give a connection token back. */
  selfUnpair: {
    fields: {
      token: string;
    };
    answer: {
      success: boolean;
    };
  };
  /** Ask to be paired. */
  createPairRequest: {
    fields: {
      worldId: string;
      /** The world’s title. Text; more than 200 characters are cut. */
      worldTitle?: unknown;
      /** The tabletop’s version; read from `foundryVersion` too. Text; more than 200 characters are cut. */
      tabletopVersion?: unknown;
      /** The game system’s id; compared with what was paired. Text; more than 200 characters are cut. */
      systemId?: unknown;
      /** The game system’s title. Text; more than 200 characters are cut. */
      systemTitle?: unknown;
      /** The game system’s version. Text; more than 200 characters are cut. */
      systemVersion?: unknown;
      /** Another name of `tabletopVersion`. Text; more than 200 characters are cut. */
      foundryVersion?: unknown;
      /** The clientId of an earlier pairing. Text; more than 200 characters are cut. */
      existingClientId?: unknown;
      /** A random id of the tabletop’s installation. Text; more than 200 characters are cut. */
      serverFingerprint?: unknown;
      /** The paired world’s; needed with `upgradeOnly`, else read like `existingClientId`. */
      clientId?: unknown;
      /** True asks that a browser of this world that is paired already may do more. */
      upgradeOnly?: unknown;
    };
    answer: {
      code: string;
      /** An http or https address, for the person’s browser. */
      pairUrl: string;
      /** Seconds. */
      expiresIn: number;
      expiresAt: string;
    };
  };
  /** Poll a pair request. */
  pollPairRequest: {
    fields: {
      code: string;
    };
    answer: {
      status: 'pending' | 'approved' | 'denied' | 'expired' | 'exchanged';
      /** For `POST /auth/pair`. Only in the one answer that hands it out. */
      pairingCode?: string;
      /** True once a paired browser got its new permissions. */
      upgraded?: boolean;
    };
  };
  /** Show a pair request. */
  getPairRequest: {
    fields: {
      code: string;
    };
    answer: {
      /** The tabletop’s id of the world; compared with what was paired. */
      worldId: string;
      /** The world’s title. */
      worldTitle: string;
      /** The tabletop’s version; read from `foundryVersion` too. */
      tabletopVersion: string;
      /** The game system’s id; compared with what was paired. */
      systemId: string;
      /** The game system’s title. */
      systemTitle: string;
      /** The game system’s version. */
      systemVersion: string;
      /** The page that the world is open in, as its browser says. */
      origin: string;
      clientId: string | null;
      /** Your world that the asking page says or proves it is: approved, it becomes a further browser of that world. Null: a new world, or the request waits for nobody any more. */
      joins: {
        clientId: string;
        worldTitle: string;
        /** The dashboard’s, else the module’s, else empty. */
        customName: string;
        /** The page that it was paired in first; empty: none was named. */
        pairedOrigin: string;
        /** Whether the asking page is where the world was paired, or where a browser of it is paired. */
        isAtAddress: boolean;
      } | null;
      /** The address that asked. */
      requestedFrom: string;
      status: 'pending' | 'approved' | 'denied' | 'expired' | 'exchanged';
      createdAt: string;
      expiresAt: string;
    };
  };
  /** Approve a pair request. */
  approvePairRequest: {
    fields: {
      code: string;
      tokenId?: string | undefined;
      joinsClientId?: string | undefined;
      /** Other worlds that the token may send requests to. */
      allowedTargetClients?: string[] | undefined;
      /** Scopes that the token holds on other worlds. */
      remoteScopes?: Array<'clients:read' | 'session:read' | 'session:manage' | 'encounter:read' | 'encounter:manage' | 'sys5e:read' | 'sys5e:write' | 'roll:execute' | 'roll:read' | 'entity:read' | 'entity:write' | 'search:read' | 'structure:read' | 'structure:write' | 'chat:read' | 'chat:write' | 'effects:read' | 'effects:write' | 'macro:read' | 'macro:execute' | 'macro:write' | 'script:execute' | 'file:read' | 'sheet:read' | 'file:write' | 'scene:read' | 'scene:write' | 'canvas:read' | 'canvas:write' | 'canvas:control' | 'playlist:read' | 'playlist:control' | 'user:read' | 'user:write' | 'world:read' | 'events:subscribe'> | undefined;
      /** Comma-separated addresses and CIDR ranges; empty: from anywhere. */
      ipAllowlist?: string | undefined;
    };
    answer: {
      status: 'approved' | 'denied';
    };
  };
  /** Deny a pair request. */
  denyPairRequest: {
    fields: {
      code: string;
    };
    answer: {
      status: 'approved' | 'denied';
    };
  };
  /** Open an account. */
  register: {
    fields: {
      /** E-mail address; upper and lower case are the same. */
      email: string;
      /** 15 characters or more, for example a few words in a row; or 10 to 14 that are hard to guess. Common passwords, the names of this service and your e-mail address do not count. */
      password: string;
    };
    answer: {
      account: {
        id: string;
        email: string;
      };
      /** Shown here and at rotation, never again. */
      masterKey: string;
      sessionToken: string;
      expiresAt: string;
    };
  };
  /** Sign in. */
  login: {
    fields: {
      /** E-mail address; upper and lower case are the same. */
      email: string;
      password: string;
      /** The answer to `second_factor_required`, sent beside the password. */
      secondFactor?: {
        method: 'totp';
        /** From the answer that asked for it */
        challenge: string;
        /** Six digits */
        code: string;
      } | {
        method: 'recovery';
        /** From the answer that asked for it */
        challenge: string;
        code: string;
      } | {
        method: 'passkey';
        /** From the answer that asked for it */
        challenge: string;
        credential: {
          id: string;
          rawId: string;
          type: 'public-key';
          response: {
            clientDataJSON: string;
            authenticatorData: string;
            signature: string;
          };
          clientExtensionResults: object;
        };
      } | undefined;
    };
    answer: {
      account: {
        id: string;
        email: string;
      };
      sessionToken: string;
      expiresAt: string;
      rotationRequired: boolean;
    };
  };
  /** End this session. */
  logout: {
    fields: object;
    answer: object;
  };
  /** Ask for a link to set a new password. */
  forgotPassword: {
    fields: {
      /** E-mail address; upper and lower case are the same. */
      email: string;
    };
    answer: {
      message: string;
    };
  };
  /** Set a new password by a mailed link. */
  resetPassword: {
    fields: {
      /** From the mailed link; it works once, for an hour. */
      token: string;
      /** 15 characters or more, for example a few words in a row; or 10 to 14 that are hard to guess. Common passwords, the names of this service and your e-mail address do not count. */
      password: string;
    };
    answer: object;
  };
  /** Change your password. */
  changePassword: {
    fields: {
      currentPassword: string;
      /** 15 characters or more, for example a few words in a row; or 10 to 14 that are hard to guess. Common passwords, the names of this service and your e-mail address do not count. */
      newPassword: string;
      /** The answer to `second_factor_required`, sent beside the password. */
      secondFactor?: {
        method: 'totp';
        /** From the answer that asked for it */
        challenge: string;
        /** Six digits */
        code: string;
      } | {
        method: 'recovery';
        /** From the answer that asked for it */
        challenge: string;
        code: string;
      } | {
        method: 'passkey';
        /** From the answer that asked for it */
        challenge: string;
        credential: {
          id: string;
          rawId: string;
          type: 'public-key';
          response: {
            clientDataJSON: string;
            authenticatorData: string;
            signature: string;
          };
          clientExtensionResults: object;
        };
      } | undefined;
    };
    answer: object;
  };
  /** Show your account. */
  getAccount: {
    fields: object;
    answer: {
      id: string;
      email: string;
      createdAt: string;
      /** Whether a mailed link of it was used. */
      emailConfirmed: boolean;
      isAdministrator: boolean;
      /** `missing`: an administrator without one, who may only set one up. */
      secondFactor: 'none' | 'set' | 'missing';
      /** API access is blocked until the master key is regenerated. */
      rotationRequired: boolean;
      disabled: boolean;
      masterKeyHint: string;
      masterKeyLastUsedAt: string | null;
    };
  };
  /** Confirm an e-mail address by a mailed link. */
  confirmEmail: {
    fields: {
      /** From the mailed link; it works once, for a week. */
      token: string;
    };
    answer: object;
  };
  /** Mail a link that confirms your address. */
  sendConfirmation: {
    fields: object;
    answer: object;
  };
  /** Delete your account. */
  deleteAccount: {
    fields: {
      password: string;
      /** The answer to `second_factor_required`, sent beside the password. */
      secondFactor?: {
        method: 'totp';
        /** From the answer that asked for it */
        challenge: string;
        /** Six digits */
        code: string;
      } | {
        method: 'recovery';
        /** From the answer that asked for it */
        challenge: string;
        code: string;
      } | {
        method: 'passkey';
        /** From the answer that asked for it */
        challenge: string;
        credential: {
          id: string;
          rawId: string;
          type: 'public-key';
          response: {
            clientDataJSON: string;
            authenticatorData: string;
            signature: string;
          };
          clientExtensionResults: object;
        };
      } | undefined;
    };
    answer: object;
  };
  /** Export all that is stored of you. */
  exportAccount: {
    fields: object;
    answer: object;
  };
  /** Regenerate the master key. */
  regenerateMasterKey: {
    fields: {
      /** E-mail address; upper and lower case are the same. */
      email: string;
      password: string;
      /** The answer to `second_factor_required`, sent beside the password. */
      secondFactor?: {
        method: 'totp';
        /** From the answer that asked for it */
        challenge: string;
        /** Six digits */
        code: string;
      } | {
        method: 'recovery';
        /** From the answer that asked for it */
        challenge: string;
        code: string;
      } | {
        method: 'passkey';
        /** From the answer that asked for it */
        challenge: string;
        credential: {
          id: string;
          rawId: string;
          type: 'public-key';
          response: {
            clientDataJSON: string;
            authenticatorData: string;
            signature: string;
          };
          clientExtensionResults: object;
        };
      } | undefined;
    };
    answer: {
      masterKey: string;
    };
  };
  /** List your second factors. */
  listSecondFactors: {
    fields: object;
    answer: {
      items: Array<{
        id: string;
        kind: 'totp' | 'passkey';
        name: string;
        createdAt: string;
        lastUsedAt: string | null;
        /** False: a passkey of another address of this relay, which browsers do not offer here. */
        usable: boolean;
      }>;
      recoveryCodesLeft: number;
      /** Administrators must have one. */
      required: boolean;
      /** The kinds that can be set up here: passkeys need https or localhost. */
      offered: Array<'totp' | 'passkey'>;
    };
  };
  /** Begin to set up codes of an authenticator app. */
  beginTotp: {
    fields: {
      password: string;
      /** The answer to `second_factor_required`, sent beside the password. */
      secondFactor?: {
        method: 'totp';
        /** From the answer that asked for it */
        challenge: string;
        /** Six digits */
        code: string;
      } | {
        method: 'recovery';
        /** From the answer that asked for it */
        challenge: string;
        code: string;
      } | {
        method: 'passkey';
        /** From the answer that asked for it */
        challenge: string;
        credential: {
          id: string;
          rawId: string;
          type: 'public-key';
          response: {
            clientDataJSON: string;
            authenticatorData: string;
            signature: string;
          };
          clientExtensionResults: object;
        };
      } | undefined;
    };
    answer: {
      setup: string;
      /** Base32, to be typed into an app. */
      secret: string;
      /** `otpauth://totp/...`, to be shown as a QR code. */
      uri: string;
      expiresAt: string;
    };
  };
  /** Finish setting up codes of an authenticator app. */
  confirmTotp: {
    fields: {
      /** As the first step answered it; it works once, for ten minutes, in the session that asked. */
      setup: string;
      /** Six digits */
      code: string;
    };
    answer: {
      factor: {
        id: string;
        kind: 'totp' | 'passkey';
        name: string;
        createdAt: string;
        lastUsedAt: string | null;
        /** False: a passkey of another address of this relay, which browsers do not offer here. */
        usable: boolean;
      };
      /** With the first factor; shown here, never again. Each works once, in place of a factor. */
      recoveryCodes: string[] | null;
    };
  };
  /** Begin to set up a passkey. */
  beginPasskey: {
    fields: {
      password: string;
      /** The answer to `second_factor_required`, sent beside the password. */
      secondFactor?: {
        method: 'totp';
        /** From the answer that asked for it */
        challenge: string;
        /** Six digits */
        code: string;
      } | {
        method: 'recovery';
        /** From the answer that asked for it */
        challenge: string;
        code: string;
      } | {
        method: 'passkey';
        /** From the answer that asked for it */
        challenge: string;
        credential: {
          id: string;
          rawId: string;
          type: 'public-key';
          response: {
            clientDataJSON: string;
            authenticatorData: string;
            signature: string;
          };
          clientExtensionResults: object;
        };
      } | undefined;
    };
    answer: {
      setup: string;
      /** `PublicKeyCredentialCreationOptionsJSON` for `navigator.credentials.create`. */
      options: object;
      expiresAt: string;
    };
  };
  /** Finish setting up a passkey. */
  confirmPasskey: {
    fields: {
      /** As the first step answered it; it works once, for ten minutes, in the session that asked. */
      setup: string;
      /** Without line breaks, control or invisible characters. */
      name: string;
      credential: {
        id: string;
        rawId: string;
        type: 'public-key';
        response: {
          clientDataJSON: string;
          attestationObject: string;
          transports?: string[];
        };
        clientExtensionResults: object;
      };
    };
    answer: {
      factor: {
        id: string;
        kind: 'totp' | 'passkey';
        name: string;
        createdAt: string;
        lastUsedAt: string | null;
        /** False: a passkey of another address of this relay, which browsers do not offer here. */
        usable: boolean;
      };
      /** With the first factor; shown here, never again. Each works once, in place of a factor. */
      recoveryCodes: string[] | null;
    };
  };
  /** Rename a second factor. */
  renameSecondFactor: {
    fields: {
      id: string;
      /** Without line breaks, control or invisible characters. */
      name: string;
    };
    answer: {
      id: string;
      kind: 'totp' | 'passkey';
      name: string;
      createdAt: string;
      lastUsedAt: string | null;
      /** False: a passkey of another address of this relay, which browsers do not offer here. */
      usable: boolean;
    };
  };
  /** Remove a second factor. */
  removeSecondFactor: {
    fields: {
      id: string;
      password: string;
      /** The answer to `second_factor_required`, sent beside the password. */
      secondFactor?: {
        method: 'totp';
        /** From the answer that asked for it */
        challenge: string;
        /** Six digits */
        code: string;
      } | {
        method: 'recovery';
        /** From the answer that asked for it */
        challenge: string;
        code: string;
      } | {
        method: 'passkey';
        /** From the answer that asked for it */
        challenge: string;
        credential: {
          id: string;
          rawId: string;
          type: 'public-key';
          response: {
            clientDataJSON: string;
            authenticatorData: string;
            signature: string;
          };
          clientExtensionResults: object;
        };
      } | undefined;
    };
    answer: object;
  };
  /** Make new recovery codes. */
  makeRecoveryCodes: {
    fields: {
      password: string;
      /** The answer to `second_factor_required`, sent beside the password. */
      secondFactor?: {
        method: 'totp';
        /** From the answer that asked for it */
        challenge: string;
        /** Six digits */
        code: string;
      } | {
        method: 'recovery';
        /** From the answer that asked for it */
        challenge: string;
        code: string;
      } | {
        method: 'passkey';
        /** From the answer that asked for it */
        challenge: string;
        credential: {
          id: string;
          rawId: string;
          type: 'public-key';
          response: {
            clientDataJSON: string;
            authenticatorData: string;
            signature: string;
          };
          clientExtensionResults: object;
        };
      } | undefined;
    };
    answer: {
      /** Shown here, never again. */
      recoveryCodes: string[];
    };
  };
  /** List the sessions of your account. */
  listSessions: {
    fields: {
      limit?: number | undefined;
      cursor?: string | undefined;
    };
    answer: {
      items: {
        id: string;
        createdAt: string;
        lastUsedAt: string;
        /** The session ends then, however much it is used. */
        expiresAt: string;
        /** It ends then if it is not used before. */
        idleExpiresAt: string;
        userAgent: string;
        /** The user agent in words, for example "Firefox on Linux". */
        device: string;
        ipAddress: string;
        current: boolean;
      }[];
      nextCursor: string | null;
    };
  };
  /** End a session. */
  endSession: {
    fields: {
      id: string;
      password: string;
      /** The answer to `second_factor_required`, sent beside the password. */
      secondFactor?: {
        method: 'totp';
        /** From the answer that asked for it */
        challenge: string;
        /** Six digits */
        code: string;
      } | {
        method: 'recovery';
        /** From the answer that asked for it */
        challenge: string;
        code: string;
      } | {
        method: 'passkey';
        /** From the answer that asked for it */
        challenge: string;
        credential: {
          id: string;
          rawId: string;
          type: 'public-key';
          response: {
            clientDataJSON: string;
            authenticatorData: string;
            signature: string;
          };
          clientExtensionResults: object;
        };
      } | undefined;
    };
    answer: object;
  };
  /** List your API keys. */
  listApiKeys: {
    fields: {
      limit?: number | undefined;
      cursor?: string | undefined;
    };
    answer: {
      items: Array<{
        id: string;
        name: string;
        /** Prefix, first and last four characters; empty where a program was signed in. */
        hint: string;
        /** The program that was signed in for it (OAuth), whose tokens are good at `/mcp` alone; null for a key. */
        signedIn: {
          /** Where its sign-in led; in words where that was a computer. */
          host: string;
        } | null;
        scopes: string[];
        clientIds: string[] | null;
        /** By the id of each world the user as whom it acts there; null: bound to nobody. */
        actingUserIds: Record<string, string> | null;
        /** That user, where it reaches one world. */
        actingUserId: string | null;
        /** Repeats `actingUserIds`, for programs that read it so. */
        scopedUserIds: Record<string, string> | null;
        /** Repeats `actingUserId`, for programs that read it so. */
        scopedUserId: string | null;
        monthlyLimit: number | null;
        /** Calls that count against the monthly limit, those of the last second perhaps not yet. */
        usedThisMonth: number;
        /** Calls of operations that the relay refused, so that they do not count. */
        refusedThisMonth: number;
        expiresAt: string | null;
        lastUsedAt: string | null;
        /** The value before the key was rolled, while it still works. */
        oldValue: {
          hint: string;
          endsAt: string;
          /** When a call came with it since the key was rolled. */
          lastUsedAt: string | null;
        } | null;
        /** While it stands, calls with the key are refused as `paused`. */
        pause: {
          /** Where it was set, and where alone it is lifted: in the relay, or in the tabletop. */
          setIn: 'relay' | 'tabletop';
          /** Since when. */
          since: string;
          /** Who set it: you, signed in; an administrator; the operator, from the command line; a paired browser. You lift your own. */
          by: 'session' | 'administrator' | 'operator' | 'token';
          /** The tabletop’s user who set it, as the module names them; empty where it was set in the relay. */
          userName: string;
        } | null;
        /** Whether its calls reach a paused world too. */
        reachesPaused: boolean;
        createdAt: string;
      }>;
      nextCursor: string | null;
    };
  };
  /** Create an API key. */
  createApiKey: {
    fields: {
      /** Without line breaks, control or invisible characters. */
      name: string;
      /** What the key may do. One that acts as a user of a world holds none that goes beyond a user. */
      scopes: Array<'clients:read' | 'session:read' | 'session:manage' | 'encounter:read' | 'encounter:manage' | 'sys5e:read' | 'sys5e:write' | 'roll:execute' | 'roll:read' | 'entity:read' | 'entity:write' | 'search:read' | 'structure:read' | 'structure:write' | 'chat:read' | 'chat:write' | 'effects:read' | 'effects:write' | 'macro:read' | 'macro:execute' | 'macro:write' | 'script:execute' | 'file:read' | 'sheet:read' | 'file:write' | 'scene:read' | 'scene:write' | 'canvas:read' | 'canvas:write' | 'canvas:control' | 'playlist:read' | 'playlist:control' | 'user:read' | 'user:write' | 'world:read' | 'events:subscribe'>;
      clientIds?: string[] | null | undefined;
      /** By the id of each world the user as whom the key acts there. It then reaches these worlds alone, and holds no scope that goes beyond a user. Null: bound to nobody, so that calls have the game master’s rights. */
      actingUserIds?: Record<string, string> | null | undefined;
      /** In place of `actingUserIds` where the key reaches one world. */
      actingUserId?: string | null | undefined;
      monthlyLimit?: number | null | undefined;
      expiresAt?: string | null | undefined;
      /** Calls with the key reach a paused world too, though streams and sessions do not: for what a person tries while signed in. Such a key names one world and expires within five minutes. */
      reachesPaused?: boolean | undefined;
    };
    answer: {
      id: string;
      name: string;
      /** Prefix, first and last four characters; empty where a program was signed in. */
      hint: string;
      /** The program that was signed in for it (OAuth), whose tokens are good at `/mcp` alone; null for a key. */
      signedIn: {
        /** Where its sign-in led; in words where that was a computer. */
        host: string;
      } | null;
      scopes: string[];
      clientIds: string[] | null;
      /** By the id of each world the user as whom it acts there; null: bound to nobody. */
      actingUserIds: Record<string, string> | null;
      /** That user, where it reaches one world. */
      actingUserId: string | null;
      /** Repeats `actingUserIds`, for programs that read it so. */
      scopedUserIds: Record<string, string> | null;
      /** Repeats `actingUserId`, for programs that read it so. */
      scopedUserId: string | null;
      monthlyLimit: number | null;
      /** Calls that count against the monthly limit, those of the last second perhaps not yet. */
      usedThisMonth: number;
      /** Calls of operations that the relay refused, so that they do not count. */
      refusedThisMonth: number;
      expiresAt: string | null;
      lastUsedAt: string | null;
      /** The value before the key was rolled, while it still works. */
      oldValue: {
        hint: string;
        endsAt: string;
        /** When a call came with it since the key was rolled. */
        lastUsedAt: string | null;
      } | null;
      /** While it stands, calls with the key are refused as `paused`. */
      pause: {
        /** Where it was set, and where alone it is lifted: in the relay, or in the tabletop. */
        setIn: 'relay' | 'tabletop';
        /** Since when. */
        since: string;
        /** Who set it: you, signed in; an administrator; the operator, from the command line; a paired browser. You lift your own. */
        by: 'session' | 'administrator' | 'operator' | 'token';
        /** The tabletop’s user who set it, as the module names them; empty where it was set in the relay. */
        userName: string;
      } | null;
      /** Whether its calls reach a paused world too. */
      reachesPaused: boolean;
      createdAt: string;
      /** Shown here, never again. */
      apiKey: string;
      /** Repeats `apiKey`, for programs that read `key`. */
      key: string;
    };
  };
  /** Change an API key. */
  updateApiKey: {
    fields: {
      id: string;
      /** Without line breaks, control or invisible characters. */
      name?: string | undefined;
      /** What the key may do. One that acts as a user of a world holds none that goes beyond a user. */
      scopes?: Array<'clients:read' | 'session:read' | 'session:manage' | 'encounter:read' | 'encounter:manage' | 'sys5e:read' | 'sys5e:write' | 'roll:execute' | 'roll:read' | 'entity:read' | 'entity:write' | 'search:read' | 'structure:read' | 'structure:write' | 'chat:read' | 'chat:write' | 'effects:read' | 'effects:write' | 'macro:read' | 'macro:execute' | 'macro:write' | 'script:execute' | 'file:read' | 'sheet:read' | 'file:write' | 'scene:read' | 'scene:write' | 'canvas:read' | 'canvas:write' | 'canvas:control' | 'playlist:read' | 'playlist:control' | 'user:read' | 'user:write' | 'world:read' | 'events:subscribe'> | undefined;
      clientIds?: string[] | null | undefined;
      /** By the id of each world the user as whom the key acts there. It then reaches these worlds alone, and holds no scope that goes beyond a user. Null: bound to nobody, so that calls have the game master’s rights. */
      actingUserIds?: Record<string, string> | null | undefined;
      /** In place of `actingUserIds` where the key reaches one world. */
      actingUserId?: string | null | undefined;
      monthlyLimit?: number | null | undefined;
      expiresAt?: string | null | undefined;
    };
    answer: {
      id: string;
      name: string;
      /** Prefix, first and last four characters; empty where a program was signed in. */
      hint: string;
      /** The program that was signed in for it (OAuth), whose tokens are good at `/mcp` alone; null for a key. */
      signedIn: {
        /** Where its sign-in led; in words where that was a computer. */
        host: string;
      } | null;
      scopes: string[];
      clientIds: string[] | null;
      /** By the id of each world the user as whom it acts there; null: bound to nobody. */
      actingUserIds: Record<string, string> | null;
      /** That user, where it reaches one world. */
      actingUserId: string | null;
      /** Repeats `actingUserIds`, for programs that read it so. */
      scopedUserIds: Record<string, string> | null;
      /** Repeats `actingUserId`, for programs that read it so. */
      scopedUserId: string | null;
      monthlyLimit: number | null;
      /** Calls that count against the monthly limit, those of the last second perhaps not yet. */
      usedThisMonth: number;
      /** Calls of operations that the relay refused, so that they do not count. */
      refusedThisMonth: number;
      expiresAt: string | null;
      lastUsedAt: string | null;
      /** The value before the key was rolled, while it still works. */
      oldValue: {
        hint: string;
        endsAt: string;
        /** When a call came with it since the key was rolled. */
        lastUsedAt: string | null;
      } | null;
      /** While it stands, calls with the key are refused as `paused`. */
      pause: {
        /** Where it was set, and where alone it is lifted: in the relay, or in the tabletop. */
        setIn: 'relay' | 'tabletop';
        /** Since when. */
        since: string;
        /** Who set it: you, signed in; an administrator; the operator, from the command line; a paired browser. You lift your own. */
        by: 'session' | 'administrator' | 'operator' | 'token';
        /** The tabletop’s user who set it, as the module names them; empty where it was set in the relay. */
        userName: string;
      } | null;
      /** Whether its calls reach a paused world too. */
      reachesPaused: boolean;
      createdAt: string;
    };
  };
  /** Give an API key a new value. */
  rollApiKey: {
    fields: {
      id: string;
      /** How long programs may go on with the old value; a day at most. A paused key keeps none, and a pause ends it. */
      keepOldSeconds?: number | undefined;
    };
    answer: {
      id: string;
      name: string;
      /** Prefix, first and last four characters; empty where a program was signed in. */
      hint: string;
      /** The program that was signed in for it (OAuth), whose tokens are good at `/mcp` alone; null for a key. */
      signedIn: {
        /** Where its sign-in led; in words where that was a computer. */
        host: string;
      } | null;
      scopes: string[];
      clientIds: string[] | null;
      /** By the id of each world the user as whom it acts there; null: bound to nobody. */
      actingUserIds: Record<string, string> | null;
      /** That user, where it reaches one world. */
      actingUserId: string | null;
      /** Repeats `actingUserIds`, for programs that read it so. */
      scopedUserIds: Record<string, string> | null;
      /** Repeats `actingUserId`, for programs that read it so. */
      scopedUserId: string | null;
      monthlyLimit: number | null;
      /** Calls that count against the monthly limit, those of the last second perhaps not yet. */
      usedThisMonth: number;
      /** Calls of operations that the relay refused, so that they do not count. */
      refusedThisMonth: number;
      expiresAt: string | null;
      lastUsedAt: string | null;
      /** The value before the key was rolled, while it still works. */
      oldValue: {
        hint: string;
        endsAt: string;
        /** When a call came with it since the key was rolled. */
        lastUsedAt: string | null;
      } | null;
      /** While it stands, calls with the key are refused as `paused`. */
      pause: {
        /** Where it was set, and where alone it is lifted: in the relay, or in the tabletop. */
        setIn: 'relay' | 'tabletop';
        /** Since when. */
        since: string;
        /** Who set it: you, signed in; an administrator; the operator, from the command line; a paired browser. You lift your own. */
        by: 'session' | 'administrator' | 'operator' | 'token';
        /** The tabletop’s user who set it, as the module names them; empty where it was set in the relay. */
        userName: string;
      } | null;
      /** Whether its calls reach a paused world too. */
      reachesPaused: boolean;
      createdAt: string;
      /** Shown here, never again. */
      apiKey: string;
      /** Repeats `apiKey`, for programs that read `key`. */
      key: string;
    };
  };
  /** Pause an API key. */
  pauseApiKey: {
    fields: {
      id: string;
    };
    answer: {
      id: string;
      name: string;
      /** Prefix, first and last four characters; empty where a program was signed in. */
      hint: string;
      /** The program that was signed in for it (OAuth), whose tokens are good at `/mcp` alone; null for a key. */
      signedIn: {
        /** Where its sign-in led; in words where that was a computer. */
        host: string;
      } | null;
      scopes: string[];
      clientIds: string[] | null;
      /** By the id of each world the user as whom it acts there; null: bound to nobody. */
      actingUserIds: Record<string, string> | null;
      /** That user, where it reaches one world. */
      actingUserId: string | null;
      /** Repeats `actingUserIds`, for programs that read it so. */
      scopedUserIds: Record<string, string> | null;
      /** Repeats `actingUserId`, for programs that read it so. */
      scopedUserId: string | null;
      monthlyLimit: number | null;
      /** Calls that count against the monthly limit, those of the last second perhaps not yet. */
      usedThisMonth: number;
      /** Calls of operations that the relay refused, so that they do not count. */
      refusedThisMonth: number;
      expiresAt: string | null;
      lastUsedAt: string | null;
      /** The value before the key was rolled, while it still works. */
      oldValue: {
        hint: string;
        endsAt: string;
        /** When a call came with it since the key was rolled. */
        lastUsedAt: string | null;
      } | null;
      /** While it stands, calls with the key are refused as `paused`. */
      pause: {
        /** Where it was set, and where alone it is lifted: in the relay, or in the tabletop. */
        setIn: 'relay' | 'tabletop';
        /** Since when. */
        since: string;
        /** Who set it: you, signed in; an administrator; the operator, from the command line; a paired browser. You lift your own. */
        by: 'session' | 'administrator' | 'operator' | 'token';
        /** The tabletop’s user who set it, as the module names them; empty where it was set in the relay. */
        userName: string;
      } | null;
      /** Whether its calls reach a paused world too. */
      reachesPaused: boolean;
      createdAt: string;
    };
  };
  /** Lift the pause of an API key. */
  resumeApiKey: {
    fields: {
      id: string;
    };
    answer: {
      id: string;
      name: string;
      /** Prefix, first and last four characters; empty where a program was signed in. */
      hint: string;
      /** The program that was signed in for it (OAuth), whose tokens are good at `/mcp` alone; null for a key. */
      signedIn: {
        /** Where its sign-in led; in words where that was a computer. */
        host: string;
      } | null;
      scopes: string[];
      clientIds: string[] | null;
      /** By the id of each world the user as whom it acts there; null: bound to nobody. */
      actingUserIds: Record<string, string> | null;
      /** That user, where it reaches one world. */
      actingUserId: string | null;
      /** Repeats `actingUserIds`, for programs that read it so. */
      scopedUserIds: Record<string, string> | null;
      /** Repeats `actingUserId`, for programs that read it so. */
      scopedUserId: string | null;
      monthlyLimit: number | null;
      /** Calls that count against the monthly limit, those of the last second perhaps not yet. */
      usedThisMonth: number;
      /** Calls of operations that the relay refused, so that they do not count. */
      refusedThisMonth: number;
      expiresAt: string | null;
      lastUsedAt: string | null;
      /** The value before the key was rolled, while it still works. */
      oldValue: {
        hint: string;
        endsAt: string;
        /** When a call came with it since the key was rolled. */
        lastUsedAt: string | null;
      } | null;
      /** While it stands, calls with the key are refused as `paused`. */
      pause: {
        /** Where it was set, and where alone it is lifted: in the relay, or in the tabletop. */
        setIn: 'relay' | 'tabletop';
        /** Since when. */
        since: string;
        /** Who set it: you, signed in; an administrator; the operator, from the command line; a paired browser. You lift your own. */
        by: 'session' | 'administrator' | 'operator' | 'token';
        /** The tabletop’s user who set it, as the module names them; empty where it was set in the relay. */
        userName: string;
      } | null;
      /** Whether its calls reach a paused world too. */
      reachesPaused: boolean;
      createdAt: string;
    };
  };
  /** End the old value of a rolled API key now. */
  endOldApiKeyValue: {
    fields: {
      id: string;
    };
    answer: object;
  };
  /** Revoke an API key. */
  revokeApiKey: {
    fields: {
      id: string;
    };
    answer: object;
  };
  /** List your worlds. */
  listKnownClients: {
    fields: {
      limit?: number | undefined;
      cursor?: string | undefined;
    };
    answer: {
      items: Array<{
        clientId: string;
        /** The tabletop’s id of the world; compared with what was paired. */
        worldId: string;
        /** The world’s title. */
        worldTitle: string;
        /** The tabletop’s version; read from `foundryVersion` too. */
        tabletopVersion: string;
        /** The game system’s id; compared with what was paired. */
        systemId: string;
        /** The game system’s title. */
        systemTitle: string;
        /** The game system’s version. */
        systemVersion: string;
        /** The dashboard’s, else the module’s, else empty. */
        customName: string;
        isOnline: boolean | null;
        instanceId: string;
        ipAddress: string;
        tokenName: string;
        lastSeenAt: string | null;
        connectedSince: string | null;
        /** How many browsers are paired. */
        tokens: number;
        /** The browsers that wait to serve the world when the connected one goes, the longest waiting first; 5 at most. Empty while the cluster cannot tell. */
        standbys: {
          standbyId: string;
          tokenName: string;
          ipAddress: string;
          instanceId: string;
          since: string;
        }[];
        /** At most one that was set in the relay, and one in the tabletop. While one stands, calls to the world are refused as `paused`. */
        pauses: Array<{
          /** Where it was set, and where alone it is lifted: in the relay, or in the tabletop. */
          setIn: 'relay' | 'tabletop';
          /** Since when. */
          since: string;
          /** Who set it: you, signed in; an administrator; the operator, from the command line; a paired browser. You lift your own. */
          by: 'session' | 'administrator' | 'operator' | 'token';
          /** The tabletop’s user who set it, as the module names them; empty where it was set in the relay. */
          userName: string;
        }>;
        createdAt: string;
      }>;
      nextCursor: string | null;
    };
  };
  /** Name a world. */
  updateKnownClient: {
    fields: {
      clientId: string;
      customName: string;
    };
    answer: {
      clientId: string;
      /** The tabletop’s id of the world; compared with what was paired. */
      worldId: string;
      /** The world’s title. */
      worldTitle: string;
      /** The tabletop’s version; read from `foundryVersion` too. */
      tabletopVersion: string;
      /** The game system’s id; compared with what was paired. */
      systemId: string;
      /** The game system’s title. */
      systemTitle: string;
      /** The game system’s version. */
      systemVersion: string;
      /** The dashboard’s, else the module’s, else empty. */
      customName: string;
      isOnline: boolean | null;
      instanceId: string;
      ipAddress: string;
      tokenName: string;
      lastSeenAt: string | null;
      connectedSince: string | null;
      /** How many browsers are paired. */
      tokens: number;
      /** The browsers that wait to serve the world when the connected one goes, the longest waiting first; 5 at most. Empty while the cluster cannot tell. */
      standbys: {
        standbyId: string;
        tokenName: string;
        ipAddress: string;
        instanceId: string;
        since: string;
      }[];
      /** At most one that was set in the relay, and one in the tabletop. While one stands, calls to the world are refused as `paused`. */
      pauses: Array<{
        /** Where it was set, and where alone it is lifted: in the relay, or in the tabletop. */
        setIn: 'relay' | 'tabletop';
        /** Since when. */
        since: string;
        /** Who set it: you, signed in; an administrator; the operator, from the command line; a paired browser. You lift your own. */
        by: 'session' | 'administrator' | 'operator' | 'token';
        /** The tabletop’s user who set it, as the module names them; empty where it was set in the relay. */
        userName: string;
      }>;
      createdAt: string;
    };
  };
  /** Pause a world. */
  pauseKnownClient: {
    fields: {
      clientId: string;
    };
    answer: {
      clientId: string;
      /** The tabletop’s id of the world; compared with what was paired. */
      worldId: string;
      /** The world’s title. */
      worldTitle: string;
      /** The tabletop’s version; read from `foundryVersion` too. */
      tabletopVersion: string;
      /** The game system’s id; compared with what was paired. */
      systemId: string;
      /** The game system’s title. */
      systemTitle: string;
      /** The game system’s version. */
      systemVersion: string;
      /** The dashboard’s, else the module’s, else empty. */
      customName: string;
      isOnline: boolean | null;
      instanceId: string;
      ipAddress: string;
      tokenName: string;
      lastSeenAt: string | null;
      connectedSince: string | null;
      /** How many browsers are paired. */
      tokens: number;
      /** The browsers that wait to serve the world when the connected one goes, the longest waiting first; 5 at most. Empty while the cluster cannot tell. */
      standbys: {
        standbyId: string;
        tokenName: string;
        ipAddress: string;
        instanceId: string;
        since: string;
      }[];
      /** At most one that was set in the relay, and one in the tabletop. While one stands, calls to the world are refused as `paused`. */
      pauses: Array<{
        /** Where it was set, and where alone it is lifted: in the relay, or in the tabletop. */
        setIn: 'relay' | 'tabletop';
        /** Since when. */
        since: string;
        /** Who set it: you, signed in; an administrator; the operator, from the command line; a paired browser. You lift your own. */
        by: 'session' | 'administrator' | 'operator' | 'token';
        /** The tabletop’s user who set it, as the module names them; empty where it was set in the relay. */
        userName: string;
      }>;
      createdAt: string;
    };
  };
  /** Lift the pause of a world. */
  resumeKnownClient: {
    fields: {
      clientId: string;
    };
    answer: {
      clientId: string;
      /** The tabletop’s id of the world; compared with what was paired. */
      worldId: string;
      /** The world’s title. */
      worldTitle: string;
      /** The tabletop’s version; read from `foundryVersion` too. */
      tabletopVersion: string;
      /** The game system’s id; compared with what was paired. */
      systemId: string;
      /** The game system’s title. */
      systemTitle: string;
      /** The game system’s version. */
      systemVersion: string;
      /** The dashboard’s, else the module’s, else empty. */
      customName: string;
      isOnline: boolean | null;
      instanceId: string;
      ipAddress: string;
      tokenName: string;
      lastSeenAt: string | null;
      connectedSince: string | null;
      /** How many browsers are paired. */
      tokens: number;
      /** The browsers that wait to serve the world when the connected one goes, the longest waiting first; 5 at most. Empty while the cluster cannot tell. */
      standbys: {
        standbyId: string;
        tokenName: string;
        ipAddress: string;
        instanceId: string;
        since: string;
      }[];
      /** At most one that was set in the relay, and one in the tabletop. While one stands, calls to the world are refused as `paused`. */
      pauses: Array<{
        /** Where it was set, and where alone it is lifted: in the relay, or in the tabletop. */
        setIn: 'relay' | 'tabletop';
        /** Since when. */
        since: string;
        /** Who set it: you, signed in; an administrator; the operator, from the command line; a paired browser. You lift your own. */
        by: 'session' | 'administrator' | 'operator' | 'token';
        /** The tabletop’s user who set it, as the module names them; empty where it was set in the relay. */
        userName: string;
      }>;
      createdAt: string;
    };
  };
  /** Let a waiting browser serve a world. */
  serveKnownClientFrom: {
    fields: {
      clientId: string;
      standbyId: string;
    };
    answer: {
      clientId: string;
      /** The tabletop’s id of the world; compared with what was paired. */
      worldId: string;
      /** The world’s title. */
      worldTitle: string;
      /** The tabletop’s version; read from `foundryVersion` too. */
      tabletopVersion: string;
      /** The game system’s id; compared with what was paired. */
      systemId: string;
      /** The game system’s title. */
      systemTitle: string;
      /** The game system’s version. */
      systemVersion: string;
      /** The dashboard’s, else the module’s, else empty. */
      customName: string;
      isOnline: boolean | null;
      instanceId: string;
      ipAddress: string;
      tokenName: string;
      lastSeenAt: string | null;
      connectedSince: string | null;
      /** How many browsers are paired. */
      tokens: number;
      /** The browsers that wait to serve the world when the connected one goes, the longest waiting first; 5 at most. Empty while the cluster cannot tell. */
      standbys: {
        standbyId: string;
        tokenName: string;
        ipAddress: string;
        instanceId: string;
        since: string;
      }[];
      /** At most one that was set in the relay, and one in the tabletop. While one stands, calls to the world are refused as `paused`. */
      pauses: Array<{
        /** Where it was set, and where alone it is lifted: in the relay, or in the tabletop. */
        setIn: 'relay' | 'tabletop';
        /** Since when. */
        since: string;
        /** Who set it: you, signed in; an administrator; the operator, from the command line; a paired browser. You lift your own. */
        by: 'session' | 'administrator' | 'operator' | 'token';
        /** The tabletop’s user who set it, as the module names them; empty where it was set in the relay. */
        userName: string;
      }>;
      createdAt: string;
    };
  };
  /** Delete a world. */
  deleteKnownClient: {
    fields: {
      clientId: string;
    };
    answer: object;
  };
  /** Count who follows a world. */
  listListeners: {
    fields: {
      clientId: string;
    };
    answer: {
      items: Array<{
        /** One of them for each channel. */
        channel: 'hooks' | 'combat' | 'actor' | 'scene' | 'chat' | 'rolls';
        listeners: number;
      }>;
    };
  };
  /** Get an address to install the module from. */
  createModuleInstall: {
    fields: object;
    answer: {
      /** For “Install Module” of the tabletop. It carries a random word of this account, which opens nothing: by it the account sees its own downloads and no others. */
      manifestUrl: string;
      /** When the word is forgotten; the address works on. Null: there is none now, and the address is the plain one. */
      expiresAt: string | null;
      /** When the manifest was asked for last at this address. */
      manifestAt: string | null;
      /** When the module itself was downloaded last by it. */
      packageAt: string | null;
    };
  };
  /** See whether the module was downloaded. */
  getModuleInstall: {
    fields: object;
    answer: {
      /** For “Install Module” of the tabletop. It carries a random word of this account, which opens nothing: by it the account sees its own downloads and no others. */
      manifestUrl: string;
      /** When the word is forgotten; the address works on. Null: there is none now, and the address is the plain one. */
      expiresAt: string | null;
      /** When the manifest was asked for last at this address. */
      manifestAt: string | null;
      /** When the module itself was downloaded last by it. */
      packageAt: string | null;
    };
  };
  /** List your paired browsers. */
  listConnectionTokens: {
    fields: {
      limit?: number | undefined;
      cursor?: string | undefined;
    };
    answer: {
      items: Array<{
        id: string;
        clientId: string;
        name: string;
        hint: string;
        allowedTargetClients: string[];
        remoteScopes: string[];
        /** By the id of each world the user as whom it acts there; null: bound to nobody. */
        actingUserIds: Record<string, string> | null;
        /** That user, where it reaches one world. */
        actingUserId: string | null;
        /** Repeats `actingUserIds`, for programs that read it so. */
        scopedUserIds: Record<string, string> | null;
        /** Repeats `actingUserId`, for programs that read it so. */
        scopedUserId: string | null;
        ipAllowlist: string;
        origin: string;
        lastUsedAt: string | null;
        lastIpAddress: string;
        isConnected: boolean | null;
        createdAt: string;
      }>;
      nextCursor: string | null;
    };
  };
  /** Change what a paired browser may do. */
  updateConnectionToken: {
    fields: {
      id: string;
      /** Without line breaks, control or invisible characters. */
      name?: string | undefined;
      /** Other worlds that the token may send requests to. */
      allowedTargetClients?: string[] | undefined;
      /** Scopes that the token holds on other worlds. */
      remoteScopes?: Array<'clients:read' | 'session:read' | 'session:manage' | 'encounter:read' | 'encounter:manage' | 'sys5e:read' | 'sys5e:write' | 'roll:execute' | 'roll:read' | 'entity:read' | 'entity:write' | 'search:read' | 'structure:read' | 'structure:write' | 'chat:read' | 'chat:write' | 'effects:read' | 'effects:write' | 'macro:read' | 'macro:execute' | 'macro:write' | 'script:execute' | 'file:read' | 'sheet:read' | 'file:write' | 'scene:read' | 'scene:write' | 'canvas:read' | 'canvas:write' | 'canvas:control' | 'playlist:read' | 'playlist:control' | 'user:read' | 'user:write' | 'world:read' | 'events:subscribe'> | undefined;
      /** Comma-separated addresses and CIDR ranges; empty: from anywhere. */
      ipAllowlist?: string | undefined;
      /** By the id of each world the user as whom the key acts there. It then reaches these worlds alone, and holds no scope that goes beyond a user. Null: bound to nobody, so that calls have the game master’s rights. */
      actingUserIds?: Record<string, string> | null | undefined;
      /** In place of `actingUserIds` where the key reaches one world. */
      actingUserId?: string | null | undefined;
    };
    answer: {
      id: string;
      clientId: string;
      name: string;
      hint: string;
      allowedTargetClients: string[];
      remoteScopes: string[];
      /** By the id of each world the user as whom it acts there; null: bound to nobody. */
      actingUserIds: Record<string, string> | null;
      /** That user, where it reaches one world. */
      actingUserId: string | null;
      /** Repeats `actingUserIds`, for programs that read it so. */
      scopedUserIds: Record<string, string> | null;
      /** Repeats `actingUserId`, for programs that read it so. */
      scopedUserId: string | null;
      ipAllowlist: string;
      origin: string;
      lastUsedAt: string | null;
      lastIpAddress: string;
      isConnected: boolean | null;
      createdAt: string;
    };
  };
  /** Unpair a browser. */
  revokeConnectionToken: {
    fields: {
      id: string;
    };
    answer: object;
  };
  /** List your headless sessions. */
  listHeadlessSessions: {
    fields: {
      limit?: number | undefined;
      cursor?: string | undefined;
    };
    answer: {
      items: Array<{
        id: string;
        tabletopUrl: string;
        username: string;
        worldName: string;
        worldTitle: string;
        clientId: string;
        state: 'starting' | 'active' | 'ending' | 'ended' | 'failed';
        /** What it does now, or did last. */
        stage: string;
        /** The place of the stage, from 1; 0: no browser has it yet. */
        stageNumber: number;
        /** How many stages there are on the way to the world; 0: not known. */
        stages: number;
        /** Why it ended, failed or was opened again; empty before. */
        detail: string;
        /** Whether a picture of its page is kept. */
        hasPicture: boolean;
        /** Whether its page’s console is captured. */
        hasConsole: boolean;
        /** The id of the key; null where it was started in the dashboard. */
        startedBy: string | null;
        createdAt: string;
        lastActivityAt: string;
        endedAt: string | null;
      }>;
      nextCursor: string | null;
    };
  };
  /** Get a key to encrypt a tabletop’s password with. */
  beginHeadlessSession: {
    fields: {
      /** The address of the tabletop, http or https. */
      tabletopUrl: string;
      /** The tabletop’s user. */
      username: string;
      /** The id or title of the world; empty: the one that runs. */
      worldName?: string | undefined;
    };
    answer: {
      /** Works once, within two minutes. */
      token: string;
      /** RSA, as PEM (SPKI). */
      publicKey: string;
      nonce: string;
    };
  };
  /** Log a browser of the relay in to a tabletop. */
  startHeadlessSession: {
    fields: {
      /** The handshake’s `token`. */
      handshakeToken: string;
      /** The JSON text of `{password, nonce}`, encrypted with `publicKey` by RSA-OAEP with SHA-256, in base64. */
      encryptedPassword: string;
      /** The least that is kept of the page’s console. */
      captureBrowserConsole?: 'error' | 'warn' | 'debug' | undefined;
    };
    answer: {
      id: string;
    };
  };
  /** Look at the page of a headless session. */
  getHeadlessPicture: {
    fields: {
      id: string;
    };
    answer: {
      /** Null: there is no picture yet. */
      at: string | null;
      /** A `data:` address of a JPEG; empty: there is none yet. */
      image: string;
    };
  };
  /** Read the console of a headless session’s page. */
  getHeadlessConsole: {
    fields: {
      id: string;
    };
    answer: {
      lines: Array<{
        at: string;
        level: 'error' | 'warn' | 'debug';
        text: string;
      }>;
    };
  };
  /** End a headless session. */
  stopHeadlessSession: {
    fields: {
      id: string;
    };
    answer: object;
  };
  /** List what programs asked of your worlds. */
  listCalls: {
    fields: {
      limit?: number | undefined;
      cursor?: string | undefined;
      client?: string | undefined;
      key?: string | undefined;
      operation?: string | undefined;
      outcome?: string | undefined;
      /** The call whose answer had this `x-request-id`. */
      requestId?: string | undefined;
      since?: string | undefined;
      until?: string | undefined;
    };
    answer: {
      items: Array<{
        id: string;
        /** When the request arrived. */
        at: string;
        keyId: string;
        /** As the key was called then. */
        keyName: string;
        /** The world. Null where the call ended before one was chosen. */
        clientId: string | null;
        operation: string;
        /** `ok`, or the code of the error. */
        outcome: string;
        /** Of the HTTP answer. */
        status: number;
        /** Milliseconds. The time in the relay: all but the world’s. */
        relayMs: number;
        /** Null where the world was not asked. */
        worldMs: number | null;
        /** `x-request-id` of the answer, and `traceId` of an error. */
        requestId: string;
        /** How many calls this entry stands for. Above 1 an instance had more calls than it records one by one, and kept a sample of those that succeeded. */
        standsFor: number;
        /** From where it came. Empty where it was not kept. */
        ipAddress: string;
        /** What the program calls itself, 200 characters at most. Empty where it was not kept. */
        userAgent: string;
        /** Whether it came with the old value of a key that was rolled. */
        oldValue: boolean;
        /** Names that it brought and that its operation does not know: it was made without them. */
        ignoredParameters: string[];
        /** Whether it was answered as an earlier one with its `Idempotency-Key`. Nothing was sent. */
        replayed: boolean;
        instanceId: string;
        /** The way that it came: `mcp` from an assistant, `socket` over a caller’s socket. */
        via: 'http' | 'mcp' | 'socket';
        /** What the program of an assistant calls itself. Empty where it does not say so, and of other calls. */
        assistant: string;
      }>;
      nextCursor: string | null;
    };
  };
  /** Read one call, with its request and answer where they were kept. */
  getCall: {
    fields: {
      id: string;
    };
    answer: {
      id: string;
      /** When the request arrived. */
      at: string;
      keyId: string;
      /** As the key was called then. */
      keyName: string;
      /** The world. Null where the call ended before one was chosen. */
      clientId: string | null;
      operation: string;
      /** `ok`, or the code of the error. */
      outcome: string;
      /** Of the HTTP answer. */
      status: number;
      /** Milliseconds. The time in the relay: all but the world’s. */
      relayMs: number;
      /** Null where the world was not asked. */
      worldMs: number | null;
      /** `x-request-id` of the answer, and `traceId` of an error. */
      requestId: string;
      /** How many calls this entry stands for. Above 1 an instance had more calls than it records one by one, and kept a sample of those that succeeded. */
      standsFor: number;
      /** From where it came. Empty where it was not kept. */
      ipAddress: string;
      /** What the program calls itself, 200 characters at most. Empty where it was not kept. */
      userAgent: string;
      /** Whether it came with the old value of a key that was rolled. */
      oldValue: boolean;
      /** Names that it brought and that its operation does not know: it was made without them. */
      ignoredParameters: string[];
      /** Whether it was answered as an earlier one with its `Idempotency-Key`. Nothing was sent. */
      replayed: boolean;
      instanceId: string;
      /** The way that it came: `mcp` from an assistant, `socket` over a caller’s socket. */
      via: 'http' | 'mcp' | 'socket';
      /** What the program of an assistant calls itself. Empty where it does not say so, and of other calls. */
      assistant: string;
      /** Null where it was not kept, or is older than 24 hours. */
      request: {
        /** The parameters as JSON text; the first 64 KiB of it. */
        text: string;
        /** What was left out, in words. Empty where it is whole. */
        lacks: string;
      } | null;
      /** Null where it was not kept, or is older than 24 hours. */
      answer: {
        /** The answer as JSON text; the first 64 KiB of it. */
        text: string;
        /** What was left out, in words. Empty where it is whole. */
        lacks: string;
      } | null;
    };
  };
  /** List from where and with which programs a key was called. */
  listCallers: {
    fields: {
      key: string;
    };
    answer: {
      items: {
        /** Empty where it was not kept. */
        ipAddress: string;
        /** What the program calls itself. Empty where it was not kept. */
        userAgent: string;
        /** Whether it called with the old value of a key that was rolled. */
        oldValue: boolean;
        calls: number;
        lastAt: string;
      }[];
    };
  };
  /** Count calls, times and online time by the hour, or by the minute. */
  getOverview: {
    fields: {
      by?: 'hour' | 'minute' | undefined;
      /** Not looked at with `by=minute`. */
      days?: number | undefined;
      /** Counts its calls alone. */
      key?: string | undefined;
    };
    answer: {
      /** When each hour begins, with `by=minute` each minute: the lists of all else have a place for each. The last one is not over. */
      hours: string[];
      /** Of all calls of this time. Null where there was none. */
      times: {
        relay: {
          typical: number | null;
          slow: number | null;
        };
        world: {
          typical: number | null;
          slow: number | null;
        };
      };
      /** The worlds with calls or connections, those with most calls first; 100 at most. */
      worlds: Array<{
        clientId: string;
        /** Calls that succeeded, for each hour. */
        ok: number[];
        /** Calls that were refused or failed with a status below 500. */
        refused: number[];
        /** Calls that failed with a status from 500. */
        failed: number[];
        /** Half of the calls took the relay at most so many milliseconds. Null in an hour without. */
        relayP50: Array<number | null>;
        /** The same for 95 of 100 calls. Null in an hour without. */
        relayP95: Array<number | null>;
        /** Half of the calls took the world at most so many milliseconds. Null in an hour without. */
        worldP50: Array<number | null>;
        /** The same for 95 of 100 calls. Null in an hour without. */
        worldP95: Array<number | null>;
        /** When the world was connected, as far as the connection log tells. */
        online: Array<{
          from: string;
          /** Null where no end of it was recorded. */
          to: string | null;
        }>;
      }>;
      /** The keys with calls, those with most first; 200 at most. */
      keys: {
        keyId: string;
        /** Calls that succeeded, for each hour. */
        ok: number[];
        /** Calls that were refused or failed with a status below 500. */
        refused: number[];
        /** Calls that failed with a status from 500. */
        failed: number[];
      }[];
      /** Which key called which world, and how often, those with most calls first; 200 at most. */
      callers: {
        clientId: string;
        keyId: string;
        calls: number;
      }[];
      /** Calls that did not succeed, by error code, the most frequent first. */
      errors: {
        code: string;
        calls: number;
      }[];
    };
  };
  /** Read what the call log keeps. */
  getCallLogSettings: {
    fields: object;
    answer: {
      /** Whether requests and answers are kept, for 24 hours. Secrets, scripts and the bytes of files are always left out, and so are the data of users and settings. */
      keepsBodies: boolean;
    };
  };
  /** Choose what the call log keeps. */
  changeCallLogSettings: {
    fields: {
      /** Whether requests and answers are kept, for 24 hours. Secrets, scripts and the bytes of files are always left out, and so are the data of users and settings. */
      keepsBodies: boolean;
    };
    answer: {
      /** Whether requests and answers are kept, for 24 hours. Secrets, scripts and the bytes of files are always left out, and so are the data of users and settings. */
      keepsBodies: boolean;
    };
  };
  /** List the attempts to connect, accepted or not. */
  listConnectionLogs: {
    fields: {
      limit?: number | undefined;
      cursor?: string | undefined;
      client?: string | undefined;
      outcome?: string | undefined;
      since?: string | undefined;
      until?: string | undefined;
    };
    answer: {
      items: Array<{
        id: string;
        at: string;
        ipAddress: string;
        instanceId: string;
        clientId: string;
        tokenId: string | null;
        tokenName: string;
        userAgent: string;
        /** The tabletop’s id of the world; compared with what was paired. */
        worldId: string;
        /** The world’s title. */
        worldTitle: string;
        /** The tabletop’s version; read from `foundryVersion` too. */
        tabletopVersion: string;
        /** The game system’s id; compared with what was paired. */
        systemId: string;
        /** The game system’s version. */
        systemVersion: string;
        metadataMatch: boolean | null;
        mismatch: string[];
        /** What the world is known as: the name that its owner gave it, or the title that its paired browser gave. `worldTitle` is what this one said. Empty where the world is no longer there. */
        pairedName: string;
        outcome: string;
        closeCode: number | null;
        /** How many attempts this entry stands for. Above 1: refused ones of one minute, counted by address (IPv6: its prefix). */
        attempts: number;
      }>;
      nextCursor: string | null;
    };
  };
  /** List what your worlds asked each other, granted or not. */
  listRemoteRequestLogs: {
    fields: {
      limit?: number | undefined;
      cursor?: string | undefined;
      client?: string | undefined;
      outcome?: string | undefined;
      since?: string | undefined;
      until?: string | undefined;
    };
    answer: {
      items: {
        id: string;
        at: string;
        ipAddress: string;
        instanceId: string;
        sourceClientId: string;
        sourceTokenId: string;
        sourceTokenName: string;
        /** As the module named it; there need be no such world. */
        targetClientId: string;
        action: string;
        outcome: string;
        error: string;
        durationMs: number;
        /** How many requests this entry stands for. Above 1: those of one minute that were refused because the token had sent too many. */
        attempts: number;
      }[];
      nextCursor: string | null;
    };
  };
  /** List what happened to your account and its credentials. */
  listAuditLog: {
    fields: {
      limit?: number | undefined;
      cursor?: string | undefined;
      client?: string | undefined;
      outcome?: string | undefined;
      since?: string | undefined;
      until?: string | undefined;
    };
    answer: {
      items: Array<{
        id: string;
        at: string;
        ipAddress: string;
        instanceId: string;
        event: string;
        outcome: string;
        actor: string;
        clientId: string | null;
        subjectId: string | null;
        userAgent: string;
        detail: object;
      }>;
      nextCursor: string | null;
    };
  };
  /** Show what you are told of, and where. */
  getNotificationSettings: {
    fields: object;
    answer: {
      events: {
        /** A world connected. */
        connect: boolean;
        /** A world disconnected. */
        disconnect: boolean;
        /** A world connected that differs from the one that was paired. */
        metadataMismatch: boolean;
        /** A second browser was refused, because another is connected as the world. */
        duplicateRejected: boolean;
        /** Something important changed: the account, its keys or its browsers. */
        security: boolean;
      };
      webhooks: Array<{
        id: string;
        kind: 'standard' | 'discord' | 'slack' | 'mattermost';
        url: string;
        enabled: boolean;
        /** Since when every message to it fails. */
        failingSince: string | null;
        /** When it was switched off because it failed for days. */
        switchedOffAt: string | null;
        /** Of a new webhook of kind `standard`: its messages are signed with it. Shown once. */
        secret?: string;
      }>;
      email: {
        /** Mails go to the address of the account once it is confirmed. */
        enabled: boolean;
        /** Whether this relay sends mail at all. */
        available: boolean;
      };
      quietHours?: {
        /** As `22:30`. */
        from: string;
        /** As `22:30`. */
        to: string;
        /** A name of the time-zone database, as `Europe/Berlin`. */
        timeZone: string;
      };
      /** How long what happens is collected for one message: 60 unless it was set. */
      batchSeconds: number;
    };
  };
  /** Set what you are told of, and where. */
  setNotificationSettings: {
    fields: {
      events: {
        /** A world connected. */
        connect: boolean;
        /** A world disconnected. */
        disconnect: boolean;
        /** A world connected that differs from the one that was paired. */
        metadataMismatch: boolean;
        /** A second browser was refused, because another is connected as the world. */
        duplicateRejected: boolean;
        /** Something important changed: the account, its keys or its browsers. */
        security: boolean;
      };
      webhooks: Array<{
        id?: string;
        kind: 'standard' | 'discord' | 'slack' | 'mattermost';
        url: string;
        /** Not given: a new webhook is on, and a known one stays as it is. */
        enabled?: boolean;
      }>;
      email: {
        /** Mails go to the address of the account once it is confirmed. */
        enabled: boolean;
      };
      quietHours?: {
        /** As `22:30`. */
        from: string;
        /** As `22:30`. */
        to: string;
        /** A name of the time-zone database, as `Europe/Berlin`. */
        timeZone: string;
      } | undefined;
      /** How long what happens is collected for one message: 60 unless it was set. */
      batchSeconds: number;
    };
    answer: {
      events: {
        /** A world connected. */
        connect: boolean;
        /** A world disconnected. */
        disconnect: boolean;
        /** A world connected that differs from the one that was paired. */
        metadataMismatch: boolean;
        /** A second browser was refused, because another is connected as the world. */
        duplicateRejected: boolean;
        /** Something important changed: the account, its keys or its browsers. */
        security: boolean;
      };
      webhooks: Array<{
        id: string;
        kind: 'standard' | 'discord' | 'slack' | 'mattermost';
        url: string;
        enabled: boolean;
        /** Since when every message to it fails. */
        failingSince: string | null;
        /** When it was switched off because it failed for days. */
        switchedOffAt: string | null;
        /** Of a new webhook of kind `standard`: its messages are signed with it. Shown once. */
        secret?: string;
      }>;
      email: {
        /** Mails go to the address of the account once it is confirmed. */
        enabled: boolean;
        /** Whether this relay sends mail at all. */
        available: boolean;
      };
      quietHours?: {
        /** As `22:30`. */
        from: string;
        /** As `22:30`. */
        to: string;
        /** A name of the time-zone database, as `Europe/Berlin`. */
        timeZone: string;
      };
      /** How long what happens is collected for one message: 60 unless it was set. */
      batchSeconds: number;
    };
  };
  /** Send a test message, and show the receiver’s answer. */
  testNotifications: {
    fields: {
      webhookId?: string | undefined;
    };
    answer: {
      delivered: boolean;
      status: number | null;
      /** The start of what the receiver said, or why there was no answer. */
      answer: string;
      /** The message as it went out. */
      sent: string;
    };
  };
  /** List what needs your attention. */
  listAttention: {
    fields: object;
    answer: {
      items: Array<{
        /** `rotation`: the account is blocked until its master key is regenerated. `keyLimit`: a key has spent its month. `expiredKey`: an expired key was called within 24 hours. `webhook`: messages to it fail, or it was switched off for that. `browser`: one tries to connect to a world that another browser holds. */
        kind: 'rotation' | 'keyLimit' | 'expiredKey' | 'webhook' | 'browser';
        /** As in the logs and in notifications. */
        sentence: string;
        /** The key, the webhook or, of a browser, the `clientId` of its world. */
        subjectId: string | null;
        since: string | null;
      }>;
    };
  };
  /** List what you were told, and what could not be delivered. */
  listNotifications: {
    fields: {
      limit?: number | undefined;
      cursor?: string | undefined;
      status?: 'collecting' | 'waiting' | 'sent' | 'failed' | undefined;
    };
    answer: {
      items: Array<{
        /** The `webhook-id`, and a part of the `Message-ID`. */
        id: string;
        createdAt: string;
        kind: 'standard' | 'discord' | 'slack' | 'mattermost' | 'email';
        /** Where it goes: an address, or the host of a webhook. */
        label: string;
        /** `waiting`: it is being tried. `failed`: it was given up. */
        status: 'collecting' | 'waiting' | 'sent' | 'failed';
        events: Array<{
          /** `attention`: a key or a webhook needs you; chosen as `security` is. */
          event: 'connect' | 'disconnect' | 'metadataMismatch' | 'duplicateRejected' | 'security' | 'attention';
          sentence: string;
          clientId: string | null;
          /** The API key that it is about, where it is about one. */
          keyId?: string;
          /** How often it happened. */
          count: number;
          firstAt: string;
          lastAt: string;
        }>;
        /** Above the length of `events` where these do not list all. */
        eventCount: number;
        tries: number;
        nextTryAt: string | null;
        sentAt: string | null;
        answer: {
          at: string;
          status: number | null;
          /** The start of what the receiver said, or why there was no answer. */
          text: string;
        } | null;
      }>;
      nextCursor: string | null;
    };
  };
  /** Send a notification again. */
  sendNotificationAgain: {
    fields: {
      id: string;
    };
    answer: object;
  };
  /** List accounts. */
  listAccounts: {
    fields: {
      limit?: number | undefined;
      cursor?: string | undefined;
    };
    answer: {
      items: {
        id: string;
        email: string;
        createdAt: string;
        isAdministrator: boolean;
        hasSecondFactor: boolean;
        rotationRequired: boolean;
        disabled: boolean;
        clients: number;
        apiKeys: number;
      }[];
      nextCursor: string | null;
    };
  };
  /** Block an account’s API access until its master key is regenerated. */
  forceRotation: {
    fields: {
      id: string;
    };
    answer: {
      id: string;
      email: string;
      createdAt: string;
      isAdministrator: boolean;
      hasSecondFactor: boolean;
      rotationRequired: boolean;
      disabled: boolean;
      clients: number;
      apiKeys: number;
    };
  };
  /** Disable an account. */
  disableAccount: {
    fields: {
      id: string;
    };
    answer: {
      id: string;
      email: string;
      createdAt: string;
      isAdministrator: boolean;
      hasSecondFactor: boolean;
      rotationRequired: boolean;
      disabled: boolean;
      clients: number;
      apiKeys: number;
    };
  };
  /** Enable an account again. */
  enableAccount: {
    fields: {
      id: string;
    };
    answer: {
      id: string;
      email: string;
      createdAt: string;
      isAdministrator: boolean;
      hasSecondFactor: boolean;
      rotationRequired: boolean;
      disabled: boolean;
      clients: number;
      apiKeys: number;
    };
  };
  /** Pause a key of an account. */
  pauseAccountKey: {
    fields: {
      id: string;
      keyId: string;
    };
    answer: {
      /** Those that stand: at most one of each kind. */
      pauses: Array<{
        /** Where it was set, and where alone it is lifted: in the relay, or in the tabletop. */
        setIn: 'relay' | 'tabletop';
        /** Since when. */
        since: string;
        /** Who set it: you, signed in; an administrator; the operator, from the command line; a paired browser. You lift your own. */
        by: 'session' | 'administrator' | 'operator' | 'token';
        /** The tabletop’s user who set it, as the module names them; empty where it was set in the relay. */
        userName: string;
      }>;
    };
  };
  /** Lift the pause of a key, whoever set it. */
  resumeAccountKey: {
    fields: {
      id: string;
      keyId: string;
    };
    answer: {
      /** Those that stand: at most one of each kind. */
      pauses: Array<{
        /** Where it was set, and where alone it is lifted: in the relay, or in the tabletop. */
        setIn: 'relay' | 'tabletop';
        /** Since when. */
        since: string;
        /** Who set it: you, signed in; an administrator; the operator, from the command line; a paired browser. You lift your own. */
        by: 'session' | 'administrator' | 'operator' | 'token';
        /** The tabletop’s user who set it, as the module names them; empty where it was set in the relay. */
        userName: string;
      }>;
    };
  };
  /** Pause a world of an account. */
  pauseAccountClient: {
    fields: {
      id: string;
      clientId: string;
    };
    answer: {
      /** Those that stand: at most one of each kind. */
      pauses: Array<{
        /** Where it was set, and where alone it is lifted: in the relay, or in the tabletop. */
        setIn: 'relay' | 'tabletop';
        /** Since when. */
        since: string;
        /** Who set it: you, signed in; an administrator; the operator, from the command line; a paired browser. You lift your own. */
        by: 'session' | 'administrator' | 'operator' | 'token';
        /** The tabletop’s user who set it, as the module names them; empty where it was set in the relay. */
        userName: string;
      }>;
    };
  };
  /** Lift the pause of a world, whoever set it in the relay. */
  resumeAccountClient: {
    fields: {
      id: string;
      clientId: string;
    };
    answer: {
      /** Those that stand: at most one of each kind. */
      pauses: Array<{
        /** Where it was set, and where alone it is lifted: in the relay, or in the tabletop. */
        setIn: 'relay' | 'tabletop';
        /** Since when. */
        since: string;
        /** Who set it: you, signed in; an administrator; the operator, from the command line; a paired browser. You lift your own. */
        by: 'session' | 'administrator' | 'operator' | 'token';
        /** The tabletop’s user who set it, as the module names them; empty where it was set in the relay. */
        userName: string;
      }>;
    };
  };
  /** List the sessions of an account. */
  listAccountSessions: {
    fields: {
      id: string;
      limit?: number | undefined;
      cursor?: string | undefined;
    };
    answer: {
      items: {
        id: string;
        createdAt: string;
        lastUsedAt: string;
        /** The session ends then, however much it is used. */
        expiresAt: string;
        /** It ends then if it is not used before. */
        idleExpiresAt: string;
        userAgent: string;
        /** The user agent in words, for example "Firefox on Linux". */
        device: string;
        ipAddress: string;
      }[];
      nextCursor: string | null;
    };
  };
  /** End a session of an account. */
  endAccountSession: {
    fields: {
      id: string;
      sessionId: string;
    };
    answer: object;
  };
  /** End all sessions of an account. */
  endAccountSessions: {
    fields: {
      id: string;
    };
    answer: {
      /** How many sessions there were. */
      ended: number;
    };
  };
  /** List the running instances with their load. */
  listInstances: {
    fields: object;
    answer: {
      items: Array<{
        instanceId: string;
        version: string;
        /** `degraded`: it does not reach Redis. `deaf`: it reaches Redis and does not hear the other instances. `foreign`: it has come to another Redis than theirs, and serves nothing. */
        state: 'ready' | 'draining' | 'degraded' | 'deaf' | 'foreign';
        startedAt: string;
        /** Worlds whose socket it holds. */
        worlds: number;
        /** Event streams that are open on it. */
        streams: number;
        /** Calls that it answered, over the last seconds. */
        callsPerMinute: number;
        /** From 0 to 1: how much of the time its event loop worked. */
        busyShare: number;
        /** How many milliseconds work waited for its event loop over the last seconds, 99 of 100 times at most. Null of a version that does not tell. */
        loopDelayMs: number | null;
        /** Memory of its process. */
        memoryBytes: number;
      }>;
    };
  };
  /** Count the calls of all accounts, and find the slowest accounts. */
  getRelayOverview: {
    fields: {
      span?: 'hour' | 'day' | undefined;
    };
    answer: {
      /** When each span begins: 60 minutes, or 144 times ten minutes. The lists of calls have a place for each. The last one is not over. */
      starts: string[];
      /** Calls that succeeded. */
      ok: number[];
      /** Calls that were refused or failed with a status below 500. */
      refused: number[];
      /** Calls that failed with a status from 500. */
      failed: number[];
      /** Calls that did not succeed, by error code, the most frequent first; 20 at most. */
      errors: {
        code: string;
        calls: number;
      }[];
      slowestSince: string;
      /** Accounts with calls of more than a second since `slowestSince`, which is a full hour: those with most of them first, 20 at most. */
      slowest: Array<{
        accountId: string;
        /** Empty where the account was deleted meanwhile. */
        email: string;
        calls: number;
        refused: number;
        failed: number;
        /** Calls that took their world over a second. */
        slowWorld: number;
        /** Calls that took the relay over a second. */
        slowRelay: number;
        /** 95 of 100 calls took their world at most so many milliseconds. */
        worldP95: number | null;
        /** 95 of 100 calls took the relay at most so many milliseconds. */
        relayP95: number | null;
      }>;
    };
  };
  /** Read the queues of jobs and what was given up. */
  getQueues: {
    fields: object;
    answer: {
      /** Null where the store of the queues does not answer. */
      queues: {
        /** `jobs` and `notifications` are the workers’, `headless` the browser hosts’. */
        name: string;
        /** Jobs that are due. */
        waiting: number;
        /** Jobs that are being done. */
        active: number;
        /** Jobs for later: scheduled, or tried again. */
        delayed: number;
        /** Jobs that were given up; 7 days of them are kept, 1,000 at most. */
        failed: number;
        /** For how many milliseconds the job that was due first waits for a worker. */
        oldestMs: number;
      }[] | null;
      /** The last that were given up; 20 of a queue at most. */
      failedJobs: Array<{
        queue: string;
        name: string;
        tries: number;
        failedAt: string | null;
      }>;
      /** The notifications of all accounts. */
      notifications: {
        /** How many were looked at: the newest 10,000 at most. */
        looked: number;
        /** Those that are still collected or tried. */
        pending: number;
        /** Those that were given up. */
        failed: number;
      };
      /** Notifications of all accounts that were given up, the last first; 20 at most. */
      deadLetters: Array<{
        /** Null: told to the operator. */
        accountId: string | null;
        email: string | null;
        /** What it was sent to: `email`, or the kind of a webhook. */
        kind: string;
        tries: number;
        createdAt: string;
        /** What the receiver answered last. Null where nothing answered. */
        answerStatus: number | null;
      }>;
    };
  };
  /** Read what the doctor finds on the instance that answers. */
  listFindings: {
    fields: object;
    answer: {
      instanceId: string;
      checkedAt: string;
      items: Array<{
        check: string;
        state: 'ok' | 'unchecked' | 'warning' | 'problem';
        detail: string;
        cure: string | null;
      }>;
    };
  };
  /** Tell the version and what this relay offers. */
  getStatus: {
    fields: object;
    answer: {
      status: 'ok';
      version: string;
      instanceId: string;
      websocket: string;
      headless: boolean;
      /** How long the relay knows the `Idempotency-Key` of a command, in ms. One that says nothing of it ignores that header, and a repeat is a second command. */
      idempotencyKeptMs: number;
      registration: 'open' | 'closed';
      /** Address of a demo world’s page; with `?own` it is a world in the browser that opens it. */
      demoWorld: string | null;
    };
  };
}
