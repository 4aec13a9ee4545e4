/** Everything secret of the stand-ins begins with it. */
export const standInMark = 'standin_';

export class LiveCredentialsError extends Error {
  override name = 'LiveCredentialsError';
}

/**
 * The stand-ins take a press of a button as money, so they must never run beside credentials of a real account.
 * @throws LiveCredentialsError if one of them was not made by the stand-ins
 */
export function refuseLiveCredentials(...credentials: (string | undefined)[]): void {
  if (credentials.some((one) => one !== undefined && one.trim() !== '' && !one.trim().startsWith(standInMark)))
    throw new LiveCredentialsError(
      'the stand-ins of payment providers do not run beside credentials of a real account',
    );
}
