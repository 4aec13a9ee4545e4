/** Blog topics and sort orders (spec §3, "Blog state"), as in URLs. */
export const topics = ['sex', 'wellness', 'culture', 'relationships'] as const;
export type Topic = (typeof topics)[number];

export const topicLabels: Record<Topic, string> = {
  sex: 'Sex',
  wellness: 'Wellness',
  culture: 'Culture',
  relationships: 'Relationships',
};

export const blogSorts = ['oldest', 'recent', 'shortest', 'longest', 'a-z', 'z-a'] as const;
export type BlogSort = (typeof blogSorts)[number];

export const blogSortLabels: Record<BlogSort, string> = {
  oldest: 'Oldest',
  recent: 'Recent',
  shortest: 'Shortest',
  longest: 'Longest',
  'a-z': 'A-Z',
  'z-a': 'Z-A',
};

export const defaultBlogSort: BlogSort = 'recent';
export const blogPageSize = 12;
/** Page limit: offset paging gets slower with each page. */
export const lastBlogPage = 500;

/** Query of the blog list. */
export type BlogQuery = {
  sortBy: BlogSort;
  /** In the order of `topics`; empty means all. */
  topics: Topic[];
  /** From 0. */
  page: number;
};

/** Reads a list URL; unknown values are ignored. */
export function readBlogQuery(search: URLSearchParams): BlogQuery {
  const asked = search.getAll('topics').join().toLowerCase().split(',');
  const page = search.get('page') ?? '';
  return {
    sortBy: blogSorts.find((sort) => sort === search.get('sort')?.toLowerCase()) ?? defaultBlogSort,
    topics: topics.filter((topic) => asked.includes(topic)),
    page: /^\d{1,4}$/.test(page) ? Math.min(Math.max(Number(page) - 1, 0), lastBlogPage) : 0,
  };
}

/** The canonical URL of a list, without default values; pages in URLs count from 1. */
export function blogAddress({ sortBy, topics: asked, page }: BlogQuery): string {
  const all = asked.length === topics.length;
  const parts = [
    ...(sortBy === defaultBlogSort ? [] : [`sort=${sortBy}`]),
    ...(asked.length === 0 || all ? [] : [`topics=${asked.join(',')}`]),
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
  return `${Math.max(1, Math.round(seconds / 60))} min read`;
}
