import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OpenAPIValidator } from 'openapi-backend';
import qs from 'qs';
import Stripe from 'stripe';

export type SentRequest = { method: string; path: string; body: string };

const file = join(import.meta.dirname, 'published-description-2023-09-12.json');

/** The SDK's own HTTP client, which also records the requests. */
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

/** Parameters newer than the published description, by request; the SDK sends those of a cancellation in the query. */
const newer: Record<string, string[]> = {
  'DELETE /v1/subscriptions/…': ['cancellation_details', 'invoice_now', 'prorate'],
  'POST /v1/invoices/create_preview': ['customer', 'discounts', 'subscription', 'subscription_details'],
  'POST /v1/promotion_codes': ['coupon', 'promotion'],
  'POST /v1/subscriptions': ['discounts'],
  'POST /v1/subscriptions/…': ['discounts'],
};

export type CheckedRequest = {
  request: SentRequest;
  /** Violations of Stripe's published description; empty for a valid request. */
  problems: string[];
  /** The parameter is newer than the description. */
  isNewer: boolean;
};

function nameOf({ method, path }: SentRequest): string {
  return `${method} ${(path.split('?')[0] ?? '').replaceAll(/[a-z]+_\w{8,}/g, '…')}`;
}

/** Counts valid requests and lists the others, for the test output. */
export function describeChecks(whose: string, checked: CheckedRequest[]): string {
  const others = checked.filter(({ problems }) => problems.length > 0);
  const kinds = new Set(others.map(({ request, problems }) => `  ${nameOf(request)}: ${problems.join('; ')}\n`));
  const valid = `${checked.length - others.length} of ${checked.length} requests`;
  return `Stripe: ${valid} of ${whose} are valid by its description of 2023-09-12\n${[...kinds].join('')}`;
}

export async function checkRequests(sent: SentRequest[]): Promise<CheckedRequest[]> {
  const definition = JSON.parse(await readFile(file, 'utf8'));
  const validator = new OpenAPIValidator({
    definition,
    // Form values are all text.
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
    if (operation === undefined) return { request, problems: ['is not described'], isNewer: false };
    const { errors } = validator.validateRequest({
      method: request.method,
      path: url.pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      query: parse(url.search.slice(1)) as Record<string, string>,
      ...(request.method === 'POST' ? { body: parse(request.body) } : {}),
    });
    const problems = (errors ?? []).map(({ instancePath, message, params }) => {
      const { additionalProperty, missingProperty } = params as Record<string, string | undefined>;
      const parameter = additionalProperty ?? missingProperty;
      return { parameter, text: `${parameter ?? instancePath} (${message})` };
    });
    const known = newer[nameOf(request)];
    return {
      request,
      problems: problems.map(({ text }) => text),
      isNewer: problems.every(({ parameter }) => parameter !== undefined && known?.includes(parameter)),
    };
  });
}
