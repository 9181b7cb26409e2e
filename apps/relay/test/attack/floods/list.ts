import { bodyFloods } from './bodies.ts';
import { frameFloods } from './frames.ts';
import { parserFloods } from './parsers.ts';
import { requestFloods } from './requests.ts';
import type { Flood } from './flood.ts';
import { signInFloods } from './sign-ins.ts';

/** Memory comes first: what a process once took it seldom gives back. */
export const floods: readonly Flood[] = [
  ...bodyFloods,
  ...parserFloods,
  ...frameFloods,
  ...requestFloods,
  ...signInFloods,
];
