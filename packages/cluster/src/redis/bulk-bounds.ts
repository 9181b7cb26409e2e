/** How large bodies travel between instances, and how much of them may be under way. Sizes are in bytes. */
export interface BulkBounds {
  /** A larger command is stored in Redis for its owner, and only its key is published. */
  commandInlineBytes: number;
  /** A larger reply comes in chunks. Many waiting calls lower this, so that all of them together stay below the total. */
  replyInlineBytes: number;
  replyInlineTotalBytes: number;
  chunkBytes: number;
  /** What an asker allows the owner of one reply to send before it has read any of it. */
  windowBytes: number;
  /** Replies that come in chunks at the same time, per shard; those of one account take at most half. */
  channels: number;
  /** What an owner has published and Redis has not yet taken, per shard. */
  unansweredBytes: number;
  /** Replies that came in chunks and whose callers have not read them yet, of all accounts and of one. */
  incomingBytes: number;
  incomingBytesPerAccount: number;
  /** The longest time from the announcement of a reply to its last chunk. */
  transferMs: number;
  /** A reply of which nothing came for this time is lost. */
  stallMs: number;
}

/**
 * Redis closes a subscriber with more than 32 MiB unread, or with 8 MiB for a minute. So the replies that come in one
 * message stay below the former, and the windows of all channels below the latter.
 */
export const defaultBulkBounds: BulkBounds = {
  commandInlineBytes: 64 * 1024,
  replyInlineBytes: 128 * 1024,
  replyInlineTotalBytes: 16 << 20,
  chunkBytes: 128 * 1024,
  windowBytes: 512 * 1024,
  channels: 8,
  unansweredBytes: 2 << 20,
  incomingBytes: 64 << 20,
  incomingBytesPerAccount: 32 << 20,
  transferMs: 30_000,
  stallMs: 5_000,
};
