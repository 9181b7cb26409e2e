import type { Difference, Topic } from './difference.ts';

/** Why a difference is left. A difference without a reason fails a test: mend it, or say here why it stays. */
export interface Reason {
  topic: Topic;
  /** The differences, by their subjects. */
  of: readonly string[];
  why: string;
  /** It is to go: the page lists it apart. */
  isYetToCome?: true;
}

export const reasons: readonly Reason[] = [
  {
    topic: 'answers',
    of: ['GET /clients clients.publicUrl'],
    why: 'Where a world is reached is nothing that a program with a key needs to learn.',
  },
  {
    topic: 'answers',
    of: ['GET /session activeSessions.foundryUrl', 'GET /session activeSessions.foundryVersion'],
    why: 'They are `tabletopUrl` and `tabletopVersion`, as in the request that starts a session.',
  },
  {
    topic: 'ways in',
    of: ['interactive sheets'],
    why: '`GET /sheet` takes a picture of a sheet; the calls change what stands on it.',
    isYetToCome: true,
  },
  {
    topic: 'ways in',
    of: ['GET /contents/:path'],
    why: 'It answers nothing there either: use `/structure`.',
  },
  {
    topic: 'ways in',
    of: ['the server’s own address'],
    why: 'No program can ask for it, and a module knows it by itself.',
  },
  {
    topic: 'ways in',
    of: ['a stored log-in that opens a world'],
    why: 'No password is kept. A program starts a session itself, and the answer of a world that is offline says so at once.',
  },
  {
    topic: 'habits',
    of: ['keys'],
    why: 'Only hashes are kept, so no key could be brought along. A program that asks for its key goes on to do so.',
  },
  {
    topic: 'habits',
    of: ['the body of a failure'],
    why: 'A program can decide without reading words, and `outcome` says whether the world may have carried out the call.',
  },
  {
    topic: 'habits',
    of: ['a parameter that no call knows', 'a parameter in a place where it is not read'],
    why: 'What is dropped in silence does more than was asked.',
  },
  { topic: 'habits', of: ['the master key'], why: 'It is the way in when every other key is lost.' },
  {
    topic: 'habits',
    of: ['the id of an event', 'the data of `connected`', 'a slow listener'],
    why: 'A listener can tell whether it missed anything. A program that reads none of it works as before.',
  },
  {
    topic: 'scopes',
    of: ['POST /select', 'GET /players'],
    why: 'Who may read entities need not move what the game master sees, nor learn who plays.',
  },
  { topic: 'scopes', of: ['GET /playlists', 'GET /session'], why: 'Reading needs no right to change.' },
  {
    topic: 'parameters',
    of: ['POST /move-token waypoints', 'POST /effects effectData'],
    why: 'Structured data has its place in the body, where it needs no quoting.',
  },
  {
    topic: 'parameters',
    of: [
      'GET /download without path',
      'POST /upload without path',
      'POST /upload without filename',
      'POST /execute-js without script',
    ],
    why: 'The world could only refuse it, after the time that it takes to ask.',
  },
  {
    topic: 'events',
    of: ['the event `error`'],
    why: 'A stream that may not open is refused as any call is, with the time to wait.',
  },
  {
    topic: 'events',
    of: ['the event `gap`', 'the event `client-offline`', 'the event `client-online`'],
    why: 'A stream tells where it has a hole. There it ends when the world goes; here it stays open.',
  },
  {
    topic: 'events',
    of: ['the event `paused`', 'the event `resumed`'],
    why: 'A game master may stop programs for a while. The stream stays open and says so.',
  },
  {
    topic: 'failures',
    of: ['a world that the key may not reach'],
    why: 'Who may not reach a world does not learn that there is one.',
  },
  {
    topic: 'failures',
    of: ['no world named, and none is connected'],
    why: 'The request is what lacks something; the worlds that it could name are in the answer.',
  },
  {
    topic: 'failures',
    of: ['a refusal of the world'],
    why: 'The request was in order and arrived: 400 is for one that did not leave.',
  },
  {
    topic: 'failures',
    of: ['no answer of the world in time', 'a line to the world that is gone'],
    why: 'By the words of HTTP these are failures behind a gateway. Both say that the outcome is unknown.',
  },
  {
    topic: 'limits',
    of: ['body bytes', 'file bytes'],
    why: 'A call goes to its world in one message, and all worlds share the lines. An operator may set the first otherwise: `MAX_BODY_BYTES`.',
  },
  {
    topic: 'limits',
    of: ['streams of one kind per world'],
    why: 'What one program opens takes nothing from another.',
  },
];

/** The reason of a difference; undefined where it stands in no list. */
export function reasonOf({ topic, subject }: Pick<Difference, 'topic' | 'subject'>): Reason | undefined {
  return reasons.find((reason) => reason.topic === topic && reason.of.includes(subject));
}
