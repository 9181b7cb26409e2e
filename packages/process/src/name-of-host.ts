import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** A name for people of a process that was given none: its host and six random letters. */
export const nameOfHost = (): string => `${hostname()}-${randomBytes(3).toString('hex')}`;
