/** Why the embedded server cannot start here; the message says what the operator can do. */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartError';
  }
}
