import type { MetaDescriptor } from 'react-router';
import { isRouteErrorResponse } from 'react-router';
import cardImage from './art/card.jpg';
import type { RootData } from './root-data.ts';

type MetaArgs = {
  matches: ({ id: string; loaderData?: unknown } | undefined)[];
  location: { pathname: string; search: string };
  /** Of this page or of what stands around it; null or absent when all went well. */
  error?: unknown;
};

export type PageFacts = {
  /** Without the site's name; the front page has a title of its own. */
  title: string;
  description: string;
  /** The one address of what is shown, where it has others too (its id); the page's own when left out. */
  path?: string | undefined;
  /** Path of the image route, without a size; for pages of which no picture of their own is made. */
  imageUrl?: string | null | undefined;
  type?: 'website' | 'article' | 'music.song' | 'music.playlist' | 'profile' | undefined;
  /** What a reader of feeds may follow here. */
  feed?: { title: string; path: string } | undefined;
  /** Pages that are a part of another one, or nobody's business. */
  index?: 'no' | undefined;
  /** schema.org; addresses in it are absolute. */
  structuredData?: ((siteUrl: string) => object)[] | undefined;
};

/**
 * Everything a page says about itself to browsers, search engines and link previews.
 * @param page undefined where its loader failed; the page then only says so
 */
export function pageMeta({ matches, location, error }: MetaArgs, page: PageFacts | undefined): MetaDescriptor[] {
  const root = matches.find((match) => match?.id === 'root')?.loaderData as RootData | undefined;
  const siteName = root?.siteName ?? '';
  const siteUrl = root?.siteUrl ?? '';
  if (page === undefined || (error !== undefined && error !== null)) {
    const missing = isRouteErrorResponse(error) && error.status === 404;
    const name = missing ? 'Nothing here' : 'Something went wrong';
    return [
      { title: root?.discreet ? siteName : siteName === '' ? name : `${name} · ${siteName}` },
      { name: 'robots', content: 'noindex' },
    ];
  }
  const title = siteName === '' || page.title.includes(siteName) ? page.title : `${page.title} · ${siteName}`;
  const path = page.path ?? location.pathname;
  const address = siteUrl + (path === '/' ? path : path.replace(/\/+$/, ''));
  const card = cardOf(path);
  const picture = page.imageUrl ? `${page.imageUrl}?width=1024&format=jpeg` : cardImage;
  const image = `${siteUrl}${card ?? picture}`;
  const feed = page.feed ?? feedOf(path, page.title);
  const description = shorten(page.description, 200);
  const isPart = new URLSearchParams(location.search).has('cursor');

  return [
    // Discreet: what others may read over a shoulder says nothing of the page.
    { title: root?.discreet ? siteName : title },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: address },
    ...(feed === undefined
      ? []
      : [
          {
            tagName: 'link' as const,
            rel: 'alternate',
            type: 'application/rss+xml',
            title: `${feed.title} · ${siteName}`,
            href: siteUrl + feed.path,
          },
        ]),
    ...(page.index === 'no' || isPart ? [{ name: 'robots', content: 'noindex, follow' }] : []),
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
    { name: 'twitter:card', content: card === undefined && page.imageUrl ? 'summary' : 'summary_large_image' },
    { name: 'twitter:title', content: page.title },
    { name: 'twitter:description', content: description },
    { name: 'twitter:image', content: image },
    ...(page.structuredData ?? []).map((describe) => ({
      'script:ld+json': { '@context': 'https://schema.org', ...describe(siteUrl) },
    })),
  ];
}

/** The picture that is made for each item (http/cards.ts); other pages have the site's own. */
function cardOf(path: string): string | undefined {
  return /^\/(?:audio|blog|categories|creators|playlists|series)\/[a-z0-9-]+$/.test(path)
    ? `/cards${path}.jpg`
    : undefined;
}

/** Voices and series can be followed, for what anyone may hear (http/feeds.ts). */
function feedOf(path: string, title: string): PageFacts['feed'] {
  return /^\/(?:creators|series)\/[a-z0-9-]+$/.test(path) ? { title, path: `${path}/feed.xml` } : undefined;
}

/** The way from the front page to this one. @param steps name and path of each, the page itself last */
export function breadcrumbs(steps: { name: string; path: string }[]): (siteUrl: string) => object {
  return (siteUrl) => ({
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: step.name,
      item: `${siteUrl}${step.path}`,
    })),
  });
}

/** For previews of links: whole words, with an ellipsis. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, text.lastIndexOf(' ', length - 1)).replace(/[\s,;:.–-]+$/, '')}…`;
}
