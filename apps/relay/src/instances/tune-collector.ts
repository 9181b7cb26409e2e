import { setFlagsFromString } from 'node:v8';

/**
 * Sets V8's garbage collector for a process that lives long and in which nearly every object lives for milliseconds. The
 * flags have effect at once, and a V8 that does not know one of them goes on as before.
 */
export function tuneCollector(): void {
  // Collects the young objects after each 16 MB of new buffers. The buffers of a reply live for milliseconds, and such a
  // collection frees them in one or two. By itself V8 waits for 128 MB, and from 64 MB on it runs full collections instead,
  // which take ten times as long.
  setFlagsFromString('--scavenger-max-new-space-capacity-mb=4');
  // Runs the next full collection when old objects and buffers take three times what the last one left. By itself V8 chooses
  // 1.2 to 4 times, the less the slower old objects are made, and it overlooks buffers there: beside large replies it chose 1.3,
  // and so ran eight full collections a second (docs/performance.md).
  setFlagsFromString('--heap-growing-percent=200');
  // Makes no object old from its birth. By itself V8 does so wherever the first objects survived two collections, as those
  // of the first calls do while code is compiled. They die old and keep what they point to, so the objects of all later
  // calls survive as well, which V8 takes for proof that it is right (docs/performance.md).
  setFlagsFromString('--no-allocation-site-pretenuring');
}
