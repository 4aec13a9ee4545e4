import { answerOf, api } from '../../api.ts';
import { browserStore } from '../../browser-store.ts';

let restored: string | undefined;

/**
 * The session's token, for requests outside the API client. Read before each of them, because a log-in in another tab
 * replaces it. With blocked storage, it is fetched by the cookie.
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

/** The site refused the token: fetch it again. */
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
