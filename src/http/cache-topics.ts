/** Tables by topic. A change of a table without a topic clears the whole cache. */
const topics = {
  /** Names of users, and their playlists. */
  listeners: ['users', 'user_playlists'],
  articles: ['articles', 'article_audios'],
} as const satisfies Record<string, string[]>;

type Topic = keyof typeof topics;

/**
 * First segments of addresses that show nothing of a topic. An address that is not named here is taken to show
 * everything: too much cleared costs a moment, too little shows what is gone.
 */
const unconcerned: Record<Topic, ReadonlySet<string>> = {
  listeners: new Set([
    'audios',
    'creators',
    'voices',
    'series',
    'categories',
    'playlists',
    'tags',
    'blog',
    'about',
    'terms',
    'privacy',
  ]),
  articles: new Set([
    'audios',
    'creators',
    'voices',
    'series',
    'categories',
    'playlists',
    'tags',
    'users-playlists',
    'about',
    'terms',
    'privacy',
  ]),
};

/**
 * Finds the cached answers that a change concerns.
 * @param table whose rows changed; undefined: anything
 * @returns a test of a key of the public cache, such as `page /creators/maren-holt dark` or `api /v1/api/tags`
 */
export function concernedBy(table: string | undefined): (key: string) => boolean {
  const topic = (Object.keys(topics) as Topic[]).find((name) => topics[name].some((one) => one === table));
  if (topic === undefined) return () => true;
  const safe = unconcerned[topic];
  return (key) => {
    const [, segment = '', rest = ''] = /^(?:page |api \/v\d+\/api)\/([^/?. ]*)([^? ]*)/.exec(key) ?? [];
    // Comments under an audio bear the names of users.
    return !safe.has(segment) || rest.includes('/comments');
  };
}
