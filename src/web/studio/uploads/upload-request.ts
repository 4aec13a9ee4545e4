import { answerOf, api } from '../../api.ts';
import { browserStore } from '../../browser-store.ts';
import type { LocalUpload } from './local-uploads.ts';

/** The fields of `UploadForm` as texts, for the header `Upload-Metadata`. */
export function metadataOf({ voiceId, file, title, choices, replaces }: LocalUpload): Record<string, string> {
  const fields = { voiceId, fileName: file.name, title, ...choices, replaces };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** The site's refusal in the body of its answer. */
export function errorIn(body: string | undefined): { code?: string; message?: string } {
  try {
    const { error } = JSON.parse(body ?? '') as { error?: { code?: string; message?: string } };
    return error ?? {};
  } catch {
    return {};
  }
}

let restored: string | undefined;

/**
 * The session's token, for requests outside the API client. Read before each of them, because a log-in in another tab
 * replaces it. With blocked storage, it is fetched by the cookie.
 */
export async function sessionToken(): Promise<string | undefined> {
  const kept = tokenIn(browserStore.get('sotto.session'));
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

function tokenIn(text: string | null): string | undefined {
  try {
    const { token } = JSON.parse(text ?? '{}') as { token?: unknown };
    return typeof token === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}
