import type { StripeError } from '@stripe/stripe-js';

export type Parameters = { [name: string]: string | number | boolean | Parameters | null | undefined };

export type Answer<Result> = { result: Result; error?: undefined } | { result?: undefined; error: StripeError };

const root = new URL('../../../v1/', import.meta.url);

function write(parameters: Parameters, into: URLSearchParams, prefix = ''): URLSearchParams {
  for (const [name, value] of Object.entries(parameters)) {
    const key = prefix === '' ? name : `${prefix}[${name}]`;
    if (typeof value === 'object' && value !== null) write(value, into, key);
    else if (value !== undefined && value !== null) into.append(key, String(value));
  }
  return into;
}

/** Calls the sandbox with the publishable key; errors are returned, as with Stripe.js. */
export async function call<Result>(
  key: string,
  method: 'GET' | 'POST',
  path: string,
  parameters: Parameters,
): Promise<Answer<Result>> {
  const form = write(parameters, new URLSearchParams());
  const url = new URL(path, root);
  if (method === 'GET') url.search = form.toString();
  try {
    // oxlint-disable-next-line no-restricted-globals -- with a limit
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(method === 'POST' ? { body: form } : {}),
      signal: AbortSignal.timeout(limitMs),
    });
    const body = (await response.json()) as Result & { error?: StripeError };
    return response.ok ? { result: body } : { error: body.error ?? lost };
  } catch {
    return { error: lost };
  }
}

/** As long as the site waits for its own calls. */
const limitMs = 20_000;

const lost: StripeError = {
  type: 'api_connection_error',
  message: 'We are experiencing issues connecting to our payments provider. Please try again.',
};
