/** The embedded server cannot start on this machine. The message says what the operator can do. */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartError';
  }
}
