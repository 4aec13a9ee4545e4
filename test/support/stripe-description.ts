import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OpenAPIValidator } from 'openapi-backend';
import qs from 'qs';
import Stripe from 'stripe';

export type SentRequest = { method: string; path: string; body: string };

const file = join(import.meta.dirname, '..', '..', 'contracts', 'stripe-2023-09-12.json');

/** The SDK's own client for HTTP, and a list of what it sends. */
export function recordingClient(sent: SentRequest[]): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient();
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = (...request) => {
    const [, , path, method, , body] = request;
    sent.push({ method, path, body });
    return makeRequest(...request);
  };
  return client;
}

/** What Stripe's published description has against each request; an empty list is a valid one. */
export async function checkRequests(sent: SentRequest[]): Promise<{ request: SentRequest; problems: string[] }[]> {
  const definition = JSON.parse(await readFile(file, 'utf8'));
  const validator = new OpenAPIValidator({
    definition,
    // Everything is text in a form.
    ajvOpts: {
      coerceTypes: true,
      strict: false,
      allErrors: true,
      formats: { 'unix-time': true, currency: true, decimal: true },
    },
    lazyCompileValidators: true,
  });
  return sent.map((request) => {
    const url = new URL(request.path, 'https://api.stripe.com');
    const parse = (text: string) => qs.parse(text, { depth: 10, arrayLimit: 100, strictNullHandling: false });
    const operation = validator.router.matchOperation({ method: request.method, path: url.pathname, headers: {} });
    if (operation === undefined) return { request, problems: ['is not described; it came later'] };
    const { errors } = validator.validateRequest({
      method: request.method,
      path: url.pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      query: parse(url.search.slice(1)) as Record<string, string>,
      ...(request.method === 'POST' ? { body: parse(request.body) } : {}),
    });
    const problems = (errors ?? []).map(({ instancePath, message, params }) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
    );
    return { request, problems };
  });
}
