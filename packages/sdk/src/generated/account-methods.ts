/* oxlint-disable max-lines -- Generated from packages/contract/src/endpoints by `pnpm docs:generate`; a test compares it. */

import type { EndpointTypes } from '@tabletop-relay/contract/types';
import type { EndpointCallOptions } from '../call.ts';

/** A method for each endpoint of the account API; a failure is a `RelayError`. */
export interface AccountMethods {
  /** List the worlds that this key may see, online or not. */
  listClients(fields?: EndpointTypes['listClients']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listClients']['answer']>;
  /** Tell whether a world is connected. */
  isClientActive(fields: EndpointTypes['isClientActive']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['isClientActive']['answer']>;
  /** Get a key to encrypt a tabletop’s password with. */
  handshake(fields?: EndpointTypes['handshake']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['handshake']['answer']>;
  /** Log a browser of the relay in to a tabletop, and wait until the world is online. It takes as long as the tabletop does, two minutes at most. */
  startSession(fields: EndpointTypes['startSession']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['startSession']['answer']>;
  /** End a headless session of this key. The master key ends every session of its account. */
  endHeadlessSession(fields: EndpointTypes['endHeadlessSession']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['endHeadlessSession']['answer']>;
  /** List the headless sessions of this key that start, run or end. The master key sees every session of its account. */
  listActiveSessions(fields?: EndpointTypes['listActiveSessions']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listActiveSessions']['answer']>;
  /** Make a ticket for an event stream. For the EventSource of a browser, which cannot send a header. The ticket stands in the address in place of the key, opens one stream within a minute, and nothing afterwards: a reconnect is let in only with a `Last-Event-ID` of its own stream, for as long as the key lives and the stream was away less than five minutes. */
  createStreamTicket(fields: EndpointTypes['createStreamTicket']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['createStreamTicket']['answer']>;
  /** Ask for a key. */
  createKeyRequest(fields: EndpointTypes['createKeyRequest']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['createKeyRequest']['answer']>;
  /** Poll a key request. One poll per two seconds. The answer that carries the key comes once. A 409 says that the account has no room for the key: nothing is used up, and a later poll collects it. */
  pollKeyRequest(fields: EndpointTypes['pollKeyRequest']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['pollKeyRequest']['answer']>;
  /** Exchange the code of the web flow for the key. Works once, within 60 seconds. A second use revokes the key. */
  exchangeKeyRequest(fields: EndpointTypes['exchangeKeyRequest']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['exchangeKeyRequest']['answer']>;
  /** Show a key request. */
  getKeyRequest(fields: EndpointTypes['getKeyRequest']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['getKeyRequest']['answer']>;
  /** Approve a key request. Can narrow the scopes that were asked for, never widen them. What the program suggests holds where the field is left out. */
  approveKeyRequest(fields: EndpointTypes['approveKeyRequest']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['approveKeyRequest']['answer']>;
  /** Deny a key request. */
  denyKeyRequest(fields: EndpointTypes['denyKeyRequest']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['denyKeyRequest']['answer']>;
  /** Show who asks to be signed in. */
  getSignInRequest(fields: EndpointTypes['getSignInRequest']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['getSignInRequest']['answer']>;
  /** Sign the program in. What the program asked for counts for nothing: the terms are those of the body. Audited scopes and `session:manage` are refused. */
  approveSignInRequest(fields: EndpointTypes['approveSignInRequest']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['approveSignInRequest']['answer']>;
  /** Refuse the program. */
  denySignInRequest(fields: EndpointTypes['denySignInRequest']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['denySignInRequest']['answer']>;
  /** Make a pairing code. With `clientId` it adds a browser to that world. */
  createPairingCode(fields?: EndpointTypes['createPairingCode']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['createPairingCode']['answer']>;
  /** Pair a browser. */
  pair(fields: EndpointTypes['pair']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['pair']['answer']>;
  /** Give a connection token back. Deletes that token and nothing else. The answer is the same for a token that is unknown. */
  selfUnpair(fields: EndpointTypes['selfUnpair']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['selfUnpair']['answer']>;
  /** Ask to be paired. The module opens `pairUrl`, where a signed-in person decides, and polls meanwhile. The request proves nothing: what it says is shown to that person. */
  createPairRequest(fields: EndpointTypes['createPairRequest']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['createPairRequest']['answer']>;
  /** Poll a pair request. Poll every 3 s. The answer with the code comes once. While the relay cannot look, it answers `pending`, because today’s modules give up at any refusal. */
  pollPairRequest(fields: EndpointTypes['pollPairRequest']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['pollPairRequest']['answer']>;
  /** Show a pair request. */
  getPairRequest(fields: EndpointTypes['getPairRequest']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['getPairRequest']['answer']>;
  /** Approve a pair request. The permissions are empty unless they are given. `joinsClientId` repeats which world was shown in `joins`: where the request would now do anything else, nothing is approved and the answer is `conflict`. For a world that asks for more, `tokenId` names the browser that gets them: that one changes, and a field that is left out stays as it was. */
  approvePairRequest(fields: EndpointTypes['approvePairRequest']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['approvePairRequest']['answer']>;
  /** Deny a pair request. */
  denyPairRequest(fields: EndpointTypes['denyPairRequest']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['denyPairRequest']['answer']>;
  /** Open an account. */
  register(fields: EndpointTypes['register']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['register']['answer']>;
  /** Sign in. */
  login(fields: EndpointTypes['login']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['login']['answer']>;
  /** End this session. */
  logout(fields?: EndpointTypes['logout']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['logout']['answer']>;
  /** Ask for a link to set a new password. The answer is the same for every address. */
  forgotPassword(fields: EndpointTypes['forgotPassword']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['forgotPassword']['answer']>;
  /** Set a new password by a mailed link. */
  resetPassword(fields: EndpointTypes['resetPassword']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['resetPassword']['answer']>;
  /** Change your password. Ends your other sessions. */
  changePassword(fields: EndpointTypes['changePassword']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['changePassword']['answer']>;
  /** Show your account. */
  getAccount(fields?: EndpointTypes['getAccount']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['getAccount']['answer']>;
  /** Confirm an e-mail address by a mailed link. */
  confirmEmail(fields: EndpointTypes['confirmEmail']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['confirmEmail']['answer']>;
  /** Mail a link that confirms your address. */
  sendConfirmation(fields?: EndpointTypes['sendConfirmation']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['sendConfirmation']['answer']>;
  /** Delete your account. Its worlds and keys are deleted with it, at once and for good. So are its logs; of more than 5,000 rows the rest is erased within minutes. */
  deleteAccount(fields: EndpointTypes['deleteAccount']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['deleteAccount']['answer']>;
  /** Export all that is stored of you. */
  exportAccount(fields?: EndpointTypes['exportAccount']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['exportAccount']['answer']>;
  /** Regenerate the master key. Ends every key, connection token and session of the account. Needs no session. */
  regenerateMasterKey(fields: EndpointTypes['regenerateMasterKey']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['regenerateMasterKey']['answer']>;
  /** List your second factors. */
  listSecondFactors(fields?: EndpointTypes['listSecondFactors']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listSecondFactors']['answer']>;
  /** Begin to set up codes of an authenticator app. Nothing is kept until a code of the app has confirmed it. */
  beginTotp(fields: EndpointTypes['beginTotp']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['beginTotp']['answer']>;
  /** Finish setting up codes of an authenticator app. An account has one such app: a new one takes the place of the old. The first factor ends your other sessions. */
  confirmTotp(fields: EndpointTypes['confirmTotp']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['confirmTotp']['answer']>;
  /** Begin to set up a passkey. Refused with 409 `conflict` where passkeys are not offered. */
  beginPasskey(fields: EndpointTypes['beginPasskey']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['beginPasskey']['answer']>;
  /** Finish setting up a passkey. The first factor ends your other sessions. */
  confirmPasskey(fields: EndpointTypes['confirmPasskey']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['confirmPasskey']['answer']>;
  /** Rename a second factor. */
  renameSecondFactor(fields: EndpointTypes['renameSecondFactor']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['renameSecondFactor']['answer']>;
  /** Remove a second factor. Recovery codes go with the last one. */
  removeSecondFactor(fields: EndpointTypes['removeSecondFactor']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['removeSecondFactor']['answer']>;
  /** Make new recovery codes. The codes before them work no more. */
  makeRecoveryCodes(fields: EndpointTypes['makeRecoveryCodes']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['makeRecoveryCodes']['answer']>;
  /** List the sessions of your account. */
  listSessions(fields?: EndpointTypes['listSessions']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listSessions']['answer']>;
  /** End a session. Asks for the password, so that who came by one session cannot end the others. Signing out needs none. */
  endSession(fields: EndpointTypes['endSession']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['endSession']['answer']>;
  /** List your API keys. */
  listApiKeys(fields?: EndpointTypes['listApiKeys']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listApiKeys']['answer']>;
  /** Create an API key. */
  createApiKey(fields: EndpointTypes['createApiKey']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['createApiKey']['answer']>;
  /** Change an API key. */
  updateApiKey(fields: EndpointTypes['updateApiKey']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['updateApiKey']['answer']>;
  /** Give an API key a new value. Name, permissions and figures stay. The old value ends at once, or after `keepOldSeconds`; a key has one old value at most, so a further roll ends the one before. A key whose headless session runs is not rolled. */
  rollApiKey(fields: EndpointTypes['rollApiKey']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['rollApiKey']['answer']>;
  /** Pause an API key. Within a second every use of it is refused with `paused`, on all instances; what is in flight ends as it would. Its event streams stay open and fall silent. A key that is paused already stays so. */
  pauseApiKey(fields: EndpointTypes['pauseApiKey']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['pauseApiKey']['answer']>;
  /** Lift the pause of an API key. `forbidden` tells of a pause that an administrator set. */
  resumeApiKey(fields: EndpointTypes['resumeApiKey']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['resumeApiKey']['answer']>;
  /** End the old value of a rolled API key now. */
  endOldApiKeyValue(fields: EndpointTypes['endOldApiKeyValue']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['endOldApiKeyValue']['answer']>;
  /** Revoke an API key. */
  revokeApiKey(fields: EndpointTypes['revokeApiKey']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['revokeApiKey']['answer']>;
  /** List your worlds. */
  listKnownClients(fields?: EndpointTypes['listKnownClients']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listKnownClients']['answer']>;
  /** Name a world. The name wins over the one that the module gives. An empty name restores the module’s. */
  updateKnownClient(fields: EndpointTypes['updateKnownClient']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['updateKnownClient']['answer']>;
  /** Pause a world. Within a second every call to it is refused with `paused`, by any key and on all instances; what is in flight ends as it would. Its event streams stay open and fall silent. A world that is paused already stays so. */
  pauseKnownClient(fields: EndpointTypes['pauseKnownClient']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['pauseKnownClient']['answer']>;
  /** Lift the pause of a world. The pause that was set in the relay. One that was set in the tabletop is lifted there, and `forbidden` tells of one that an administrator set. */
  resumeKnownClient(fields: EndpointTypes['resumeKnownClient']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['resumeKnownClient']['answer']>;
  /** Let a waiting browser serve a world. It takes the place of the browser that serves, whose calls in flight end there. That one waits afterwards, where its module can. `unavailable` where the chosen one does not answer, or the other has served for less than five seconds. */
  serveKnownClientFrom(fields: EndpointTypes['serveKnownClientFrom']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['serveKnownClientFrom']['answer']>;
  /** Delete a world. Unpairs its browsers. Keys bound to it alone reach nothing afterwards. */
  deleteKnownClient(fields: EndpointTypes['deleteKnownClient']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['deleteKnownClient']['answer']>;
  /** Count who follows a world. The open event streams of each channel, over all instances, as they were five seconds ago at most. */
  listListeners(fields: EndpointTypes['listListeners']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listListeners']['answer']>;
  /** Get an address to install the module from. For an hour. Until then it is the one that was made before. */
  createModuleInstall(fields?: EndpointTypes['createModuleInstall']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['createModuleInstall']['answer']>;
  /** See whether the module was downloaded. Of the address that was made last, by whatever instance it was asked for. Without one it is the plain address of the manifest. */
  getModuleInstall(fields?: EndpointTypes['getModuleInstall']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['getModuleInstall']['answer']>;
  /** List your paired browsers. */
  listConnectionTokens(fields?: EndpointTypes['listConnectionTokens']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listConnectionTokens']['answer']>;
  /** Change what a paired browser may do. */
  updateConnectionToken(fields: EndpointTypes['updateConnectionToken']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['updateConnectionToken']['answer']>;
  /** Unpair a browser. */
  revokeConnectionToken(fields: EndpointTypes['revokeConnectionToken']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['revokeConnectionToken']['answer']>;
  /** List your headless sessions. Those that ended are kept for a day. */
  listHeadlessSessions(fields?: EndpointTypes['listHeadlessSessions']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listHeadlessSessions']['answer']>;
  /** Get a key to encrypt a tabletop’s password with. */
  beginHeadlessSession(fields: EndpointTypes['beginHeadlessSession']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['beginHeadlessSession']['answer']>;
  /** Log a browser of the relay in to a tabletop. Answers at once; the list tells how far it is. */
  startHeadlessSession(fields: EndpointTypes['startHeadlessSession']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['startHeadlessSession']['answer']>;
  /** Look at the page of a headless session. Takes a new picture while the session runs; of one that failed it is the last that was seen. */
  getHeadlessPicture(fields: EndpointTypes['getHeadlessPicture']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['getHeadlessPicture']['answer']>;
  /** Read the console of a headless session’s page. The last lines, oldest first. */
  getHeadlessConsole(fields: EndpointTypes['getHeadlessConsole']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['getHeadlessConsole']['answer']>;
  /** End a headless session. */
  stopHeadlessSession(fields: EndpointTypes['stopHeadlessSession']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['stopHeadlessSession']['answer']>;
  /** List what programs asked of your worlds. Relayed calls, newest first; they are kept for 7 days. `outcome` is `ok`, `failed` for all that did not succeed, or the code of an error. */
  listCalls(fields?: EndpointTypes['listCalls']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listCalls']['answer']>;
  /** Read one call, with its request and answer where they were kept. */
  getCall(fields: EndpointTypes['getCall']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['getCall']['answer']>;
  /** List from where and with which programs a key was called. Of its last 2,000 entries in the call log, so of 7 days at most; the last callers first, 20 at most. */
  listCallers(fields: EndpointTypes['listCallers']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listCallers']['answer']>;
  /** Count calls, times and online time by the hour, or by the minute. With `by=minute` it counts the last 60 minutes from the newest 10,000 entries of the call log, and begins later where these do not reach so far back. */
  getOverview(fields?: EndpointTypes['getOverview']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['getOverview']['answer']>;
  /** Read what the call log keeps. */
  getCallLogSettings(fields?: EndpointTypes['getCallLogSettings']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['getCallLogSettings']['answer']>;
  /** Choose what the call log keeps. To switch the keeping of requests and answers off deletes those that are kept. */
  changeCallLogSettings(fields: EndpointTypes['changeCallLogSettings']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['changeCallLogSettings']['answer']>;
  /** List the attempts to connect, accepted or not. */
  listConnectionLogs(fields?: EndpointTypes['listConnectionLogs']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listConnectionLogs']['answer']>;
  /** List what your worlds asked each other, granted or not. `client` is the world that asked or the one that was asked. */
  listRemoteRequestLogs(fields?: EndpointTypes['listRemoteRequestLogs']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listRemoteRequestLogs']['answer']>;
  /** List what happened to your account and its credentials. */
  listAuditLog(fields?: EndpointTypes['listAuditLog']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listAuditLog']['answer']>;
  /** Show what you are told of, and where. */
  getNotificationSettings(fields?: EndpointTypes['getNotificationSettings']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['getNotificationSettings']['answer']>;
  /** Set what you are told of, and where. Replaces all settings. A webhook that is named by its `id` stays as it is but for the fields that changed; one that is not named is deleted. */
  setNotificationSettings(fields: EndpointTypes['setNotificationSettings']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['setNotificationSettings']['answer']>;
  /** Send a test message, and show the receiver’s answer. To one webhook, or without `webhookId` to the address of the account. */
  testNotifications(fields?: EndpointTypes['testNotifications']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['testNotifications']['answer']>;
  /** List what needs your attention. What is wrong now and goes away once it is mended, what blocks most first. */
  listAttention(fields?: EndpointTypes['listAttention']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listAttention']['answer']>;
  /** List what you were told, and what could not be delivered. */
  listNotifications(fields?: EndpointTypes['listNotifications']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listNotifications']['answer']>;
  /** Send a notification again. It keeps its id, so a receiver that has it already knows it again. */
  sendNotificationAgain(fields: EndpointTypes['sendNotificationAgain']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['sendNotificationAgain']['answer']>;
  /** List accounts. */
  listAccounts(fields?: EndpointTypes['listAccounts']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listAccounts']['answer']>;
  /** Block an account’s API access until its master key is regenerated. */
  forceRotation(fields: EndpointTypes['forceRotation']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['forceRotation']['answer']>;
  /** Disable an account. Ends its sessions; they stay ended when it is enabled again. */
  disableAccount(fields: EndpointTypes['disableAccount']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['disableAccount']['answer']>;
  /** Enable an account again. */
  enableAccount(fields: EndpointTypes['enableAccount']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['enableAccount']['answer']>;
  /** Pause a key of an account. As its owner could. Administrators alone lift it. */
  pauseAccountKey(fields: EndpointTypes['pauseAccountKey']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['pauseAccountKey']['answer']>;
  /** Lift the pause of a key, whoever set it. */
  resumeAccountKey(fields: EndpointTypes['resumeAccountKey']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['resumeAccountKey']['answer']>;
  /** Pause a world of an account. As its owner could. Administrators alone lift it. */
  pauseAccountClient(fields: EndpointTypes['pauseAccountClient']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['pauseAccountClient']['answer']>;
  /** Lift the pause of a world, whoever set it in the relay. A pause that was set in the tabletop is lifted there alone. */
  resumeAccountClient(fields: EndpointTypes['resumeAccountClient']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['resumeAccountClient']['answer']>;
  /** List the sessions of an account. */
  listAccountSessions(fields: EndpointTypes['listAccountSessions']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listAccountSessions']['answer']>;
  /** End a session of an account. */
  endAccountSession(fields: EndpointTypes['endAccountSession']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['endAccountSession']['answer']>;
  /** End all sessions of an account. */
  endAccountSessions(fields: EndpointTypes['endAccountSessions']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['endAccountSessions']['answer']>;
  /** List the running instances with their load. Each writes its figures every five seconds (`INSTANCE_REPORT_MS`). One that wrote nothing for thirty is left out. */
  listInstances(fields?: EndpointTypes['listInstances']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listInstances']['answer']>;
  /** Count the calls of all accounts, and find the slowest accounts. Each call of a key or an assistant counts, those that an instance keeps no entry of, too. */
  getRelayOverview(fields?: EndpointTypes['getRelayOverview']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['getRelayOverview']['answer']>;
  /** Read the queues of jobs and what was given up. An instance asks the store of the queues once in five seconds at most. */
  getQueues(fields?: EndpointTypes['getQueues']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['getQueues']['answer']>;
  /** Read what the doctor finds on the instance that answers. The checks of `pnpm admin doctor` by the settings of that instance, without the one that needs a session. They are made when somebody asks, once a minute at most. */
  listFindings(fields?: EndpointTypes['listFindings']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['listFindings']['answer']>;
  /** Tell the version and what this relay offers. */
  getStatus(fields?: EndpointTypes['getStatus']['fields'], options?: EndpointCallOptions): Promise<EndpointTypes['getStatus']['answer']>;
}
