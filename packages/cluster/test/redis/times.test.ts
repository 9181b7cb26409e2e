import { describe, expect, it } from 'vitest';
import { defaultBulkBounds } from '../../src/redis/bulk-bounds.ts';
import { defaultTimes } from '../../src/redis/times.ts';

describe('the times of a cluster', () => {
  it('end an instance’s authority before others may take over', () => {
    expect(defaultTimes.leaseUsableMs).toBeLessThan(defaultTimes.leaseMs);
    expect(defaultTimes.holdUsableMs).toBeLessThan(defaultTimes.holdMs);
  });

  it('leave a lease time for a renewal that fails and another that is answered late', () => {
    expect(defaultTimes.answerMs).toBeLessThan(defaultTimes.renewMs);
    expect(2 * defaultTimes.renewMs + defaultTimes.answerMs).toBeLessThan(defaultTimes.leaseUsableMs);
  });
});

describe('the bounds of large bodies', () => {
  it('keep what a subscriber may have unread below what Redis closes it for', () => {
    const { replyInlineTotalBytes, channels, windowBytes, chunkBytes } = defaultBulkBounds;
    expect(replyInlineTotalBytes).toBeLessThan(32 << 20);
    expect(channels * windowBytes).toBeLessThan(8 << 20);
    expect(chunkBytes).toBeLessThanOrEqual(windowBytes);
  });

  it('leave room for several accounts', () => {
    expect(2 * defaultBulkBounds.incomingBytesPerAccount).toBeLessThanOrEqual(
      defaultBulkBounds.incomingBytes,
    );
  });
});
