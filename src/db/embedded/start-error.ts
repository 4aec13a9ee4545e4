/** The embedded database cannot run; the message is one line for the operator. */
export class StartError extends Error {
  override name = 'StartError';
  /** `in-use`: another Sotto holds the data folder, everything else is `failed`. */
  readonly reason: 'in-use' | 'failed';

  constructor(message: string, reason: 'in-use' | 'failed' = 'failed') {
    super(message.replaceAll(/\s+/g, ' ').trim());
    this.reason = reason;
  }
}
