import { data } from 'react-router';
import { expect, test } from 'vitest';
import { pageMeta, publisherOf } from './page-meta.ts';

const root = { siteName: 'Sotto', siteUrl: 'https://sotto.example', preferences: { isDiscreet: false } };

function describePage(
  options: {
    pathname?: string;
    search?: string;
    discreet?: boolean;
    path?: string;
    error?: unknown;
    feed?: 'none';
  } = {},
) {
  const args = {
    matches: [
      { id: 'root', loaderData: { ...root, preferences: { isDiscreet: options.discreet ?? false } } },
      undefined,
    ],
    location: { pathname: options.pathname ?? '/audio/bright-star', search: options.search ?? '' },
    error: options.error,
  };
  return pageMeta(args, {
    title: 'Bright Star',
    description: 'Keats, read slowly.',
    imageUrl: '/images/abc.webp',
    path: options.path,
    feed: options.feed,
  });
}

test('a title ends with the site’s name', () => {
  expect(describePage()).toContainEqual({ title: 'Bright Star · Sotto' });
});

test('in discreet mode the title is only the site’s name', () => {
  expect(describePage({ discreet: true })).toContainEqual({ title: 'Sotto' });
  expect(describePage({ discreet: true, error: new Error('lost') })).toContainEqual({ title: 'Sotto' });
});

test('the canonical address has no query and no trailing slash, and uses the slug', () => {
  const canonical = { tagName: 'link', rel: 'canonical', href: 'https://sotto.example/audio/bright-star' };
  expect(describePage({ pathname: '/audio/bright-star/', search: '?utm_source=facebook' })).toContainEqual(canonical);
  for (const pathname of ['/Audio/Bright-Star', '//audio//bright-star/', '/AUDIO/BRIGHT-STAR//'])
    expect(describePage({ pathname })).toContainEqual(canonical);
  expect(describePage({ pathname: '/' })).toContainEqual({ ...canonical, href: 'https://sotto.example/' });
  expect(describePage({ pathname: '/audio/01a1fd7f-6ede', path: '/audio/bright-star' })).toContainEqual(canonical);
});

test('the picture of a link preview has an absolute address: the item’s card, or the page’s own picture', () => {
  expect(describePage()).toContainEqual({
    property: 'og:image',
    content: 'https://sotto.example/cards/audio/bright-star.jpg',
  });
  expect(describePage({ pathname: '/users-playlists/one' })).toContainEqual({
    property: 'og:image',
    content: 'https://sotto.example/images/abc.webp?width=1024&quality=80&format=jpeg',
  });
});

test('a voice and a series link to their feeds, an audio does not', () => {
  const feed = (href: string) => ({
    tagName: 'link',
    rel: 'alternate',
    type: 'application/rss+xml',
    title: 'Bright Star · Sotto',
    href,
  });
  for (const path of ['/creators/maren-holt', '/series/sleep-by-degrees'])
    expect(describePage({ pathname: path })).toContainEqual(feed(`https://sotto.example${path}/feed.xml`));
  expect(JSON.stringify(describePage())).not.toContain('rss');
  const withoutEpisodes = describePage({ pathname: '/creators/maren-holt', feed: 'none' });
  expect(JSON.stringify(withoutEpisodes)).not.toContain('feed.xml');
});

test('a picture has a text alternative, and the publisher has a logo', () => {
  expect(describePage()).toContainEqual({ name: 'twitter:image:alt', content: 'Bright Star' });
  expect(publisherOf({ name: 'Sotto', url: 'https://sotto.example' })).toMatchObject({
    name: 'Sotto',
    logo: { '@type': 'ImageObject', url: expect.stringMatching(/^https:\/\/sotto\.example\/.+\.png$/) },
  });
});

test('later pages of a list are not indexed', () => {
  const notIndexed = { name: 'robots', content: 'noindex, follow' };
  expect(describePage({ search: '?cursor=abc' })).toContainEqual(notIndexed);
  expect(describePage()).not.toContainEqual(notIndexed);
});

test('a missing page has an error title and nothing else', () => {
  const { init } = data(null, { status: 404 });
  const error = { status: init?.status, statusText: '', internal: false, data: null };
  expect(describePage({ error })).toEqual([
    { title: 'Page not found · Sotto' },
    { name: 'robots', content: 'noindex' },
  ]);
});

test('structured data says which works are for adults, unless the operator wants no label', () => {
  const works = [
    { '@type': 'BlogPosting', mentions: [{ '@type': 'AudioObject', name: '"@type":"AudioObject"' }] },
    { '@type': 'AudioObject' },
    { '@type': 'PodcastSeries' },
    { '@type': 'ProfilePage', mainEntity: { '@type': 'Person' } },
  ];
  const dataOf = (more: object) => {
    const args = {
      matches: [{ id: 'root', loaderData: { ...root, ...more } }],
      location: { pathname: '/blog/one', search: '' },
    };
    const structuredData = works.map((work) => () => work);
    return pageMeta(args, { title: 'One', description: '', structuredData }).flatMap((one) =>
      'script:ld+json' in one ? [one['script:ld+json']] : [],
    );
  };
  const context = { '@context': 'https://schema.org' };
  const [posting, audio, series, profile] = works.map((work) => ({ ...context, ...work }));
  const isFamilyFriendly = false;
  expect(dataOf({})).toEqual([
    { ...posting, mentions: [{ '@type': 'AudioObject', name: '"@type":"AudioObject"', isFamilyFriendly }] },
    { ...audio, isFamilyFriendly },
    { ...series, isFamilyFriendly },
    { ...profile, isFamilyFriendly },
  ]);
  expect(dataOf({ isUnlabelled: true })).toEqual([posting, audio, series, profile]);
});
