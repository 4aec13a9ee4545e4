import { Hono } from 'hono';
import { filterNames } from '#domain/catalogue/filters/rules.ts';
import { type SitemapKind, type SitemapRange, sitemapKinds } from '#domain/catalogue/sitemap-entries.ts';
import { isSlug } from '#domain/kernel/ids.ts';
import type { Site } from '#domain/site.ts';
import { type Language, inPath } from '#formats/languages.ts';
import { errorResponse } from '../errors.ts';
import { cachedText } from '../cached-text.ts';
import type { PublicCache } from '../public-cache.ts';
import { toXml } from './xml.ts';

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const type = 'application/xml; charset=utf-8';

const prefixes: Record<SitemapKind, string> = {
  audios: '/audio/',
  voices: '/creators/',
  categories: '/categories/',
  series: '/series/',
  playlists: '/playlists/',
  articles: '/blog/',
};

const pages = [
  '/',
  '/audios',
  '/creators',
  '/series',
  '/categories',
  '/playlists',
  '/users-playlists',
  '/blog',
  '/gift-card',
  '/about',
  '/terms',
  '/privacy',
];

/** Parameters of lists, whose combinations are thousands of addresses of the same items. */
// Not `language`, which addresses of the sitemap itself have.
const choices = ['filters', 'mix', 'sort', 'topics', ...filterNames.filter((name) => name !== 'language')];
/**
 * API calls too. Pages with noindex, such as searches, stay crawlable, because crawlers must load them to see it.
 * `*` stands for any text (RFC 9309, 2.2.3).
 */
const closed = ['/identity/', '/v1/', '/v2/', ...choices.flatMap((name) => [`/*?${name}=`, `/*?*&${name}=`])];

/** The query of a file's address. */
function toQuery({ after, until }: SitemapRange, language: Language | undefined): string {
  const query = new URLSearchParams({
    ...(language !== undefined && { language }),
    ...(after !== '' && { after }),
    ...(until !== undefined && { until }),
  });
  return query.size === 0 ? '' : `?${query}`;
}

/** `robots.txt`, and the sitemap: an index, and files of some hundred URLs of one kind in one language. */
export function sitemapRoutes({ site, cache }: { site: Site; cache: PublicCache }): Hono {
  const app = new Hono();
  const { catalogue, facts, isOn } = site;
  const isShown = (path: string) =>
    (path !== '/blog' || isOn('blog')) &&
    (path !== '/gift-card' || isOn('giftCards')) &&
    (path !== '/users-playlists' || isOn('userPlaylists'));

  app.get('/robots.txt', (context) =>
    context.text(
      ['User-agent: *', ...closed.map((path) => `Disallow: ${path}`), '', `Sitemap: ${facts.url}/sitemap.xml`, ''].join(
        '\n',
      ),
      200,
      { 'cache-control': 'public, max-age=3600' },
    ),
  );

  app.get('/sitemap.xml', async ({ req }) => {
    const make = async () => {
      const files = await Promise.all(
        sitemapKinds
          .filter((kind) => kind !== 'articles' || isOn('blog'))
          .map(async (kind) =>
            (await catalogue.listSitemapRanges(kind)).map((range) => ({ name: `${kind}.xml`, range })),
          ),
      );
      const all = [{ name: 'pages.xml', range: { after: '', until: undefined } }, ...files.flat()];
      const sitemap = facts.languages.flatMap((language) =>
        all.map(({ name, range }) => ({
          loc: `${facts.url}/sitemaps/${name}${toQuery(range, language === facts.languages[0] ? undefined : language)}`,
        })),
      );
      return toXml({ sitemapindex: { '@xmlns': namespace, sitemap } });
    };
    return cachedText(req.raw, { cache, key: 'sitemap', type, make });
  });

  app.get('/sitemaps/:file{[a-z]+\\.xml}', async ({ req }) => {
    const name = req.param('file').slice(0, -4);
    const { after = '', until, language: code = facts.languages[0] } = req.query();
    const language = facts.languages.find((one) => one === code);
    const kind = sitemapKinds.find((one) => one === name);
    if (kind === 'articles' && !isOn('blog')) return errorResponse('request/not-found');
    if (kind === undefined && name !== 'pages') return errorResponse('request/not-found');
    if (language === undefined) return errorResponse('request/not-found');
    if ((after !== '' && !isSlug(after)) || (until !== undefined && !isSlug(until)))
      return errorResponse('request/not-found');
    const make = async () => {
      const url =
        kind === undefined
          ? pages.filter(isShown).map((path) => ({ loc: facts.url + inPath(language, path, facts.languages) }))
          : (await catalogue.listSitemapEntries(kind, { after, until })).map(({ slug, changedAt }) => ({
              loc: facts.url + inPath(language, prefixes[kind] + slug, facts.languages),
              lastmod: changedAt ?? undefined,
            }));
      return toXml({ urlset: { '@xmlns': namespace, url } });
    };
    const key = `sitemap ${name} ${language} ${after} ${until}`;
    return cachedText(req.raw, { cache, key, type, make });
  });
  return app;
}
