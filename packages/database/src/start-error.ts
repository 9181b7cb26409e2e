/** A process cannot start here as it is set up. The message says what the operator can do. */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartError';
  }
}
