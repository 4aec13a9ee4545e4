import { type Answer, answerOf, api } from '../../api.ts';
import { useClientValue } from '../../ui/use-client-value.ts';

/** The browser's side of passkeys. `undefined`: the user closed the browser's window. */

type Options = { options: Record<string, unknown> };

const cancelled = new Set(['NotAllowedError', 'AbortError']);

/** Whether this browser can use passkeys at this address; false on the server. @param host the site's host for passkeys */
export function usePasskeySupport(host: string): boolean {
  return useClientValue(() => window.PublicKeyCredential !== undefined && window.location.hostname === host, false);
}

export async function askForPasskey(): Promise<Answer<{ recoveryCodesLeft: number }> | undefined> {
  const asked = await answerOf(api.admin['second-factor'].challenge.$post());
  if (!asked.ok) return asked;
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const passkey = await inBrowser(() =>
    startAuthentication({ optionsJSON: optionsFor<typeof startAuthentication>(asked.data) }),
  );
  return passkey && answerOf(api.admin['second-factor'].proof.$post({ json: { passkey } }));
}

export async function addPasskey(name: string): Promise<Answer<{ recoveryCodes: string[] }> | undefined> {
  const started = await answerOf(api.admin['second-factor'].passkeys.options.$post());
  if (!started.ok) return started;
  const { startRegistration } = await import('@simplewebauthn/browser');
  const passkey = await inBrowser(() =>
    startRegistration({ optionsJSON: optionsFor<typeof startRegistration>(started.data) }),
  );
  return passkey && answerOf(api.admin['second-factor'].passkeys.$post({ json: { name, passkey } }));
}

/** The server created them for this call. */
function optionsFor<Call extends (given: { optionsJSON: never }) => unknown>({
  options,
}: Options): Parameters<Call>[0]['optionsJSON'] {
  return options as Parameters<Call>[0]['optionsJSON'];
}

async function inBrowser<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Error && (cancelled.has(error.name) || cancelled.has((error.cause as Error)?.name)))
      return undefined;
    throw error;
  }
}
