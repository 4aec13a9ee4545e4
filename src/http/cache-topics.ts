/** Tables by topic. A change of a table without a topic clears the whole cache. */
const topics = {
  /** User names, and users' playlists. */
  listeners: ['users', 'user_playlists'],
  articles: ['articles', 'article_audios'],
} as const satisfies Record<string, string[]>;

type Topic = keyof typeof topics;

const catalogue = ['audios', 'creators', 'voices', 'series', 'categories', 'playlists', 'tags'];
const texts = ['about', 'terms', 'privacy'];

/**
 * First path segments of pages without content of a topic. Other addresses count as showing everything: clearing too
 * much costs a moment, clearing too little shows outdated content.
 */
const unconcerned: Record<Topic, ReadonlySet<string>> = {
  listeners: new Set([...catalogue, ...texts, 'blog']),
  articles: new Set([...catalogue, ...texts, 'users-playlists']),
};

/**
 * Finds the cached responses that a change affects.
 * @param table with changed rows; undefined: any
 * @returns a predicate for keys of the public cache, such as `page /creators/maren-holt dark` or `api /v1/api/tags`
 */
export function concernedBy(table: string | undefined): (key: string) => boolean {
  const topic = (Object.keys(topics) as Topic[]).find((name) => topics[name].some((one) => one === table));
  if (topic === undefined) return () => true;
  const safe = unconcerned[topic];
  return (key) => {
    const [, segment = '', rest = ''] = /^(?:page |api \/v\d+\/api)\/([^/?. ]*)([^? ]*)/.exec(key) ?? [];
    // Comments on an audio show user names.
    return !safe.has(segment) || rest.includes('/comments');
  };
}
