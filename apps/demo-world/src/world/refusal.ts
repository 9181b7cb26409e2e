import { OperationRefused } from '@tabletop-relay/module-sdk';

/** The world says no: `code` becomes the `reason` of the caller's error, the message its detail. */
export class Refusal extends OperationRefused {
  declare readonly code: string;

  constructor(code: string, message: string) {
    super(message, code);
  }
}
