import type { AgeClass } from '#domain/age/rules.ts';
import { splitPrefix } from '#formats/languages.ts';

/**
 * The class of each address. Everything that no line names is a `page`, so that a new route or call is closed until its
 * address is written here. `test('every route and call …')` has the whole table.
 */

/** How a refusal is answered: people are led to the age page, programs get an error. */
export type Answers = 'page' | 'data' | 'error';

const among = (...patterns: string[]) => new RegExp(`^(?:${patterns.join('|')})$`);
/** @param names alternatives */
const below = (...names: string[]) => names.map((name) => `/(?:${name})(?:/.*)?`);

/** Legal texts, log-in, account, payment, a performer's consent, the acts of operators, and files that have nothing of the catalogue. */
const openAddresses = among(
  ...below('age|admin|report|about|terms|privacy|consent|gift-card|reset-password|confirm-email|unsubscribe'),
  ...below('assets|look|identity|webhooks|stripe-sandbox|payment-stand-ins|healthz|readyz|metrics|\\.well-known'),
  '/account(?:/(?:profile|subscription|gift-cards|feeds|sessions|blocked|notifications|analytics|data))?',
  '/account/invoices(?:/.*)?',
  '/(?:service-worker\\.js|favicon\\.ico|offline|robots\\.txt|manifest\\.webmanifest|__manifest)',
  // Each asks for the age of its account (`private-feeds.ts`).
  '/feeds/.*',
  // A frame says by itself that it shows nothing (`http/embed/frames.ts`).
  '/embed/.*',
);

const openCalls = among(
  ...below('admin|age|notices|auth|profile|stripe|subscription|gift-cards|events'),
  '/openapi\\.json',
  '/reference',
  '/user',
  ...below(
    'me|profile|password|email|languages?|discreet|export|sessions|subscription|invoices|gift-cards|gift-card|feeds',
    'blocks|block|hidden-tags|analytics-consent|notification-preferences|push-subscriptions|offline-devices',
  ).map((path) => `/user${path}`),
);

const soundAddresses = among(...below('media|studio-files'), '/clip/[^/]+/sound');
const soundCalls = among(
  '/audios/play/[^/]+',
  '/audios/[^/]+/(?:transcript|chapters)',
  '/user/offline-devices/[^/]+/licence',
);

const files = among(
  ...below('media|studio-files|images|cards|feed-covers|feeds|suggestions|uploads|sitemaps|kept'),
  '/sitemap\\.xml',
  '.*/feed\\.xml',
  '/audio/[^/]+/chapters\\.json',
  // A frame can neither be led to another page nor keep a cookie.
  '/embed/.*',
  '/oembed',
  '/clip/[^/]+/sound',
);

const call = /^\/v\d+\/api(\/.*)$/;

/** @param method in capitals @param sent path of the request, without its query */
export function ageClassOf(method: string, sent: string): { of: AgeClass; answers: Answers } {
  const [, ofCall] = call.exec(sent) ?? [];
  if (ofCall !== undefined) {
    const isNewDevice = method === 'POST' && ofCall === '/user/offline-devices';
    const of = isNewDevice || soundCalls.test(ofCall) ? 'sound' : openCalls.test(ofCall) ? 'open' : 'page';
    return { of, answers: 'error' };
  }
  const { path: written } = splitPrefix(sent);
  // The data of a page, and of the first one.
  const path = written.replace(/(?:\/_root)?\.data$/, '') || '/';
  const of = soundAddresses.test(path) ? 'sound' : openAddresses.test(path) ? 'open' : 'page';
  const isRead = method === 'GET' || method === 'HEAD';
  const answers = files.test(path) || !isRead ? 'error' : written.endsWith('.data') ? 'data' : 'page';
  return { of, answers };
}
