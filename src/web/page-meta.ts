import { t } from '@lingui/core/macro';
import { type MetaDescriptor, isRouteErrorResponse } from 'react-router';
import { type RootData, offeredBy, ownPrefix } from './root-data.ts';
import { inPath } from '#formats/languages.ts';
import { withRating } from '#formats/rating.ts';
import { languageFacts } from '#i18n';
import cardImage from './art/card.jpg';
import icon512 from './art/icon-512.png';
import { imageAddress } from './ui/images/image-address.ts';

type MetaArgs = {
  matches: ({ id: string; loaderData?: unknown } | undefined)[];
  location: { pathname: string; search: string };
  /** Error of this page or its layout; null or absent without one. */
  error?: unknown;
};

export type PageFacts = {
  /** Without the site’s name; the front page has its own title. */
  title: string;
  description: string;
  /** Canonical path, for pages that also have other addresses (by id); defaults to the current one. */
  path?: string | undefined;
  /** Path of the image route, without a size, for pages without a generated card. */
  imageUrl?: string | null | undefined;
  type?: 'website' | 'article' | 'music.song' | 'music.playlist' | 'profile' | undefined;
  /** Everyone may hear it, so that other sites may show it in a frame (http/embed/). */
  isFramed?: boolean | undefined;
  /** Sound that everyone may hear: its path. */
  soundUrl?: string | undefined;
  /** Feed that readers can subscribe to. */
  feed?: { title: string; path: string } | 'none' | undefined;
  /** `no` for pages that are part of another one, or private. */
  index?: 'no' | undefined;
  /** schema.org; addresses in it are absolute. */
  structuredData?: ((siteUrl: string) => object)[] | undefined;
};

/**
 * A page’s metadata for browsers, search engines and link previews.
 * @param page undefined when its loader failed; the metadata then only reports that
 */
export function pageMeta({ matches, location, error }: MetaArgs, page: PageFacts | undefined): MetaDescriptor[] {
  const root = matches.find((match) => match?.id === 'root')?.loaderData as RootData | undefined;
  const siteName = root?.siteName ?? '';
  const siteUrl = root?.siteUrl ?? '';
  if (page === undefined || (error !== undefined && error !== null)) {
    const missing = isRouteErrorResponse(error) && error.status === 404;
    const name = missing ? t`Page not found` : t`Something went wrong`;
    return [
      { title: root?.preferences.isDiscreet ? siteName : siteName === '' ? name : `${name} · ${siteName}` },
      { name: 'robots', content: 'noindex' },
    ];
  }
  const title = siteName === '' || page.title.includes(siteName) ? page.title : `${page.title} · ${siteName}`;
  // Routes match in any case and with extra slashes; canonical paths have lower case and none.
  const path =
    page.path ??
    location.pathname
      .toLowerCase()
      .replaceAll(/\/{2,}/g, '/')
      .replace(/(?<=.)\/$/, '');
  const prefix = ownPrefix(root);
  const address = siteUrl + (prefix && path === '/' ? prefix : prefix + path);
  const feed = page.feed === 'none' ? undefined : (page.feed ?? feedOf(path, page.title));
  const description = shorten(page.description, 200);
  const isPart = new URLSearchParams(location.search).has('cursor');

  return [
    // Discreet mode: the tab title shows nothing of the page.
    { title: root?.preferences.isDiscreet ? siteName : title },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: address },
    // For crawlers, which load documents: browsers need no code for it.
    ...(import.meta.env.SSR ? inOtherLanguages(root, page.index === 'no' || isPart ? undefined : path) : []),
    ...(feed === undefined
      ? []
      : [
          {
            tagName: 'link' as const,
            rel: 'alternate',
            type: 'application/rss+xml',
            title: `${feed.title} · ${siteName}`,
            href: siteUrl + prefix + feed.path,
          },
        ]),
    ...(page.index === 'no' || isPart ? [{ name: 'robots', content: 'noindex, follow' }] : []),
    ...(import.meta.env.SSR ? preview(page, { root, path, address, description }) : []),
    ...(page.structuredData ?? []).map((describe) => ({
      'script:ld+json': { '@context': 'https://schema.org', ...rated(describe(siteUrl), root) },
    })),
  ];
}

/** For links from other sites, whose makers load documents, so that browsers need no code for it. */
function preview(
  page: PageFacts,
  of: { root: RootData | undefined; path: string; address: string; description: string },
): MetaDescriptor[] {
  const { root, path, address, description } = of;
  const { siteName = '', siteUrl = '', look } = root ?? {};
  const card = cardOf(path);
  const picture = page.imageUrl ? imageAddress(page.imageUrl, 'jpeg', 1024) : (look?.card ?? cardImage);
  const image = siteUrl + (card === undefined ? picture : ownPrefix(root) + card);
  const frame =
    page.isFramed && root?.off?.includes('embeds') !== true ? `${siteUrl}${ownPrefix(root)}/embed${path}` : undefined;
  return [
    ...(frame === undefined ? [] : frameOf(frame, page, address, siteUrl)),
    { property: 'og:site_name', content: siteName },
    { property: 'og:type', content: page.type ?? 'website' },
    { property: 'og:title', content: page.title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: address },
    { property: 'og:image', content: image },
    ...(card === undefined
      ? []
      : [
          { property: 'og:image:width', content: '1200' },
          { property: 'og:image:height', content: '630' },
          { property: 'og:image:alt', content: page.title },
        ]),
    { name: 'twitter:card', content: cardKind(page, card, frame) },
    { name: 'twitter:title', content: page.title },
    { name: 'twitter:description', content: description },
    { name: 'twitter:image', content: image },
    { name: 'twitter:image:alt', content: card === undefined && !page.imageUrl ? siteName : page.title },
  ];
}

function cardKind({ imageUrl }: PageFacts, card: string | undefined, frame: string | undefined): string {
  if (frame !== undefined) return 'player';
  return card === undefined && imageUrl ? 'summary' : 'summary_large_image';
}

/** The player for readers of oEmbed (https://oembed.com, “Discovery”), Open Graph and player cards. */
function frameOf(frame: string, { title, soundUrl }: PageFacts, address: string, siteUrl: string): MetaDescriptor[] {
  const oembed = `${siteUrl}/oembed?url=${encodeURIComponent(address)}&format=`;
  const link = (format: 'json' | 'xml', type: string) => ({
    tagName: 'link' as const,
    rel: 'alternate',
    type,
    title,
    href: oembed + format,
  });
  return [
    link('json', 'application/json+oembed'),
    link('xml', 'text/xml+oembed'),
    ...(soundUrl === undefined ? [] : [{ property: 'og:audio', content: siteUrl + soundUrl }]),
    { name: 'twitter:player', content: frame },
    { name: 'twitter:player:width', content: '640' },
    { name: 'twitter:player:height', content: soundUrl === undefined ? '360' : '180' },
  ];
}

/** Browsers need no code for it: React compares texts with the server’s in development alone. */
function rated(facts: object, root: RootData | undefined): object {
  return (import.meta.env.SSR || import.meta.env.DEV) && !root?.isUnlabelled ? withRating(facts) : facts;
}

/** @param path undefined for a page that is not to be found */
function inOtherLanguages(root: RootData | undefined, path: string | undefined): MetaDescriptor[] {
  const locale = { property: 'og:locale', content: languageFacts().openGraph };
  const { siteUrl = '' } = root ?? {};
  const languages = offeredBy(root);
  if (path === undefined || languages.length === 1) return [locale];
  const link = (hrefLang: string, href: string) => ({ tagName: 'link', rel: 'alternate', hrefLang, href });
  const all = languages.map((code) => link(code, siteUrl + inPath(code, path, languages)));
  return [...all, link('x-default', siteUrl + path), locale];
}

/** `meta` of a page. @param page its facts, or makes them of its data; undefined when only its loader may fail */
export function metaOf<Data>(page: PageFacts | undefined | ((data: Data, args: MetaArgs) => PageFacts)) {
  return ({ loaderData, ...args }: MetaArgs & { loaderData?: Data | undefined }): MetaDescriptor[] =>
    pageMeta(args, typeof page === 'function' ? loaderData && page(loaderData, args) : page);
}

/** Path of the generated preview card (http/files/cards.ts); other pages use the site’s. */
function cardOf(path: string): string | undefined {
  return /^\/(?:audio|blog|categories|creators|playlists|series)\/[a-z0-9-]+$/.test(path)
    ? `/cards${path}.jpg`
    : undefined;
}

/** Voices and series have feeds of their free audios (http/feeds/feeds.ts). */
function feedOf(path: string, title: string): { title: string; path: string } | undefined {
  return /^\/(?:creators|series)\/[a-z0-9-]+$/.test(path) ? { title, path: `${path}/feed.xml` } : undefined;
}

/** Breadcrumb list in schema.org form. @param steps name and path of each level, the page itself last */
export function breadcrumbs(...steps: [name: string, path: string][]): (siteUrl: string) => object {
  return (siteUrl) => ({
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(([name, path], index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: `${siteUrl}${path}`,
    })),
  });
}

/** The site as publisher, in schema.org form. */
export function publisherOf({ name, url }: { name: string; url: string }): object {
  const logo = { '@type': 'ImageObject', url: url + icon512, width: 512, height: 512 };
  return { '@type': 'Organization', name, url: `${url}/`, logo };
}

/** For link previews: cuts at a word boundary and adds an ellipsis. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, text.lastIndexOf(' ', length - 1)).replace(/(?<![\s,;:.–-])[\s,;:.–-]+$/, '')}…`;
}
