import { type Context, Hono } from 'hono';
import { type ImageVariant, imageWidths } from '#domain/gateways.ts';
import type { Site } from '#domain/site.ts';
import { offeredPrefix, prefixOf } from '#formats/languages.ts';
import { inLanguage } from '#i18n';
import { errorResponse, refuseUnlessRead } from '../errors.ts';
import { toXml } from '../feeds/xml.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { type Found, findFrame } from './frames.ts';

type OEmbedSite = Pick<Site, 'catalogue' | 'facts' | 'isOn'>;

/** CSS pixels. A series has its parts below. */
const sizes = { audio: { width: 640, height: 180 }, series: { width: 640, height: 360 } };
const largestThumbnail = 640;

/** Pages that may be framed, and the frames themselves. */
const framed = /^(?:\/embed)?\/(audio|series)\/([^/]{1,200})$/;

/** `GET /oembed?url=&format=&maxwidth=&maxheight=` (https://oembed.com): how other sites show an audio or a series. */
export function oembedRoutes({ site, rateLimit }: { site: OEmbedSite; rateLimit: RateLimit }): Hono {
  const app = new Hono();
  app.get('/oembed', async (context) => {
    if (!rateLimit(context, { kind: 'oembed', perMinute: 120 })) return errorResponse('request/too-many');
    const format = context.req.query('format') ?? 'json';
    if (format !== 'json' && format !== 'xml') return errorResponse('request/not-offered');
    const url = URL.parse(context.req.query('url') ?? '');
    const [maxWidth, maxHeight] = [readSize(context, 'maxwidth'), readSize(context, 'maxheight')];
    if (url === null || maxWidth === undefined || maxHeight === undefined) return errorResponse('request/invalid');
    if (url.origin !== new URL(site.facts.url).origin) return errorResponse('request/not-found');
    const { language = site.facts.languages[0], path } = offeredPrefix(site.facts.languages, url.pathname);
    const [, kind, slug] = framed.exec(path) ?? [];
    if (slug === undefined) return errorResponse('request/not-found');
    return inLanguage(language, async () => {
      const found = await findFrame(site, kind === 'series' ? 'series' : 'audio', slug);
      if (found.is === 'missing') return errorResponse('request/not-found');
      // “The specified URL contains a private (non-public) resource.”
      if (found.is === 'closed') return errorResponse('auth/login-required');
      const base = site.facts.url + prefixOf(language, site.facts.languages);
      const size = sizes[found.frame.hasParts ? 'series' : 'audio'];
      const answer = describe(found, base, site.facts, {
        width: Math.min(size.width, maxWidth),
        height: Math.min(size.height, maxHeight),
        thumbnail: Math.min(largestThumbnail, maxWidth, maxHeight),
      });
      const headers = { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' };
      if (format === 'json') return Response.json(answer, { headers });
      return new Response(toXml({ oembed: answer }), {
        headers: { ...headers, 'content-type': 'text/xml; charset=utf-8' },
      });
    });
  });
  app.all('/oembed', refuseUnlessRead);
  return app;
}

/** @returns no limit where none is given; undefined for what is no size */
function readSize(context: Context, name: string): number | undefined {
  const given = context.req.query(name) ?? '';
  if (given === '') return Infinity;
  return /^[1-9]\d{0,5}$/.test(given) ? Number(given) : undefined;
}

function describe(
  { path, frame }: Extract<Found, { is: 'open' }>,
  base: string,
  { name, url }: Pick<Site['facts'], 'name' | 'url'>,
  { width, height, thumbnail }: { width: number; height: number; thumbnail: number },
) {
  const { title, author, imageUrl } = frame;
  const side = imageWidths.findLast((one) => one <= thumbnail);
  return {
    version: '1.0',
    type: 'rich',
    provider_name: name,
    provider_url: `${url}/`,
    title,
    ...(author !== '' && { author_name: author }),
    ...(imageUrl !== null &&
      side !== undefined && {
        thumbnail_url: url + squareOf(imageUrl, side),
        thumbnail_width: side,
        thumbnail_height: side,
      }),
    html: iframeOf(`${base}/embed${path}`, title, { width, height }),
    width,
    height,
    cache_age: 3600,
  };
}

const squareOf = (imageUrl: string, side: ImageVariant['width']) =>
  `${imageUrl}?width=${side}&height=${side}&quality=80&format=jpeg`;

/** Without borders where the page has no styles for it. */
function iframeOf(src: string, title: string, { width, height }: { width: number; height: number }): string {
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<iframe src="${escape(src)}" width="${width}" height="${height}" title="${escape(title)}" frameborder="0" loading="lazy"></iframe>`;
}
