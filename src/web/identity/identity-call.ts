import { timedFetch } from '#player/timed-fetch.ts';
import { language } from '#i18n';

export type IdentityResponse =
  | { ok: true; body: unknown }
  /** @property status 0 without a connection */
  | { ok: false; status: number; code?: string | undefined; message?: string | undefined };

/** Calls the built-in identity provider, at `/identity` of the same origin. */
export async function callIdentity(method: 'GET' | 'POST', path: string, body?: object): Promise<IdentityResponse> {
  try {
    const response = await timedFetch(path, {
      method,
      credentials: 'same-origin',
      headers: { 'accept-language': language(), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.ok) return { ok: true, body: await response.json() };
    const refused = (await response.json().catch(() => undefined)) as
      | { error?: { code?: string; message?: string } }
      | null
      | undefined;
    return { ok: false, status: response.status, ...refused?.error };
  } catch {
    return { ok: false, status: 0 };
  }
}
