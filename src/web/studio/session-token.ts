import { answerOf, api } from '../api.ts';
import { browserStore } from '../browser-store.ts';

let restored: string | undefined;

/**
 * The session's token, for requests that are no calls of the API. Asked before each of them, because a log-in in another
 * tab brings a new one. Where storage is blocked, the cookie brings it.
 */
export async function sessionToken(): Promise<string | undefined> {
  const kept = parsed(browserStore.get('sotto.session'));
  if (kept !== undefined) return kept;
  if (restored === undefined) {
    const answer = await answerOf(api.auth.session.token.$post());
    restored = answer.ok ? answer.data.token : undefined;
  }
  return restored;
}

/** The site refused the token: ask for it again. */
export function dropToken(): void {
  restored = undefined;
}

function parsed(text: string | null): string | undefined {
  try {
    const { token } = JSON.parse(text ?? '{}') as { token?: unknown };
    return typeof token === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}
