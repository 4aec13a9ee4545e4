import { i18n } from '#i18n';

/** A topic of the blog; its slug is in addresses, and stays when it is renamed. */
export type Topic = { slug: string; label: string };

export const maxTopics = 30;

const ownTopics: Record<string, Topic['label'] | undefined> = {
  sex: 'Sex',
  wellness: 'Wellness',
  culture: 'Culture',
  relationships: 'Relationships',
};

/** Topics of a site whose operator has named none. */
export const defaultTopics: Topic[] = Object.entries(ownTopics).map(([slug, label = '']) => ({ slug, label }));

/** The label in the language of the page; one of the operator’s own stays as it is. */
export function topicText(slug: string, label: string): string {
  if (ownTopics[slug] !== label) return label;
  switch (slug) {
    case 'sex':
      return i18n._(/*i18n*/ { id: 'topic.sex', message: 'Sex' });
    case 'wellness':
      return i18n._(/*i18n*/ { id: 'topic.wellness', message: 'Wellness' });
    case 'culture':
      return i18n._(/*i18n*/ { id: 'topic.culture', message: 'Culture' });
    case 'relationships':
      return i18n._(/*i18n*/ { id: 'topic.relationships', message: 'Relationships' });
    default:
      return label;
  }
}

/** Sort orders of the blog (spec §3, "Blog state"), as in URLs. */
export const blogSorts = ['oldest', 'recent', 'shortest', 'longest', 'a-z', 'z-a'] as const;
export type BlogSort = (typeof blogSorts)[number];

export const defaultBlogSort: BlogSort = 'recent';
export const blogPageSize = 12;
/** Page limit: offset paging gets slower with each page. */
export const lastBlogPage = 500;

/** Query of the blog list. */
export type BlogQuery = {
  sortBy: BlogSort;
  /** Slugs in the order of the topics; empty means all. */
  topics: string[];
  /** From 0. */
  page: number;
};

/** Reads a list URL; unknown values are ignored. */
export function readBlogQuery(search: URLSearchParams, topics: readonly Topic[]): BlogQuery {
  const asked = search.getAll('topics').join().toLowerCase().split(',');
  const page = search.get('page') ?? '';
  return {
    sortBy: blogSorts.find((sort) => sort === search.get('sort')?.toLowerCase()) ?? defaultBlogSort,
    topics: chosenTopics(topics, asked),
    page: /^\d{1,4}$/.test(page) ? Math.min(Math.max(Number(page) - 1, 0), lastBlogPage) : 0,
  };
}

/** Known topics in their order; empty when all are selected. */
export function chosenTopics(topics: readonly Topic[], asked: readonly string[]): string[] {
  const chosen = topics.map(({ slug }) => slug).filter((slug) => asked.includes(slug));
  return chosen.length === topics.length ? [] : chosen;
}

/** The canonical URL of a list, without default values; pages in URLs count from 1. */
export function blogAddress({ sortBy, topics, page }: BlogQuery): string {
  const parts = [
    ...(sortBy === defaultBlogSort ? [] : [`sort=${sortBy}`]),
    ...(topics.length === 0 ? [] : [`topics=${topics.join(',')}`]),
    ...(page === 0 ? [] : [`page=${page + 1}`]),
  ];
  return parts.length === 0 ? '/blog' : `/blog?${parts.join('&')}`;
}

const wordsPerMinute = 200;

/** Reading time in seconds. @param text Markdown or plain */
export function readTimeOf(text: string): number {
  const words = text
    .replaceAll(/\]\([^)\]]*\)/g, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  return Math.round((words.length * 60) / wordsPerMinute);
}

/** `4 min read`. @param seconds */
export function formatReadTime(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  return i18n._(/*i18n*/ { id: 'article.read-time', message: '{minutes} min read', values: { minutes } });
}

/** The part of a picture that is shown, and the size of the whole, in pixels; `size` is the part's width. */
export type PictureArea = { x: number; y: number; size: number; width: number; height: number };
