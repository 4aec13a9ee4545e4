import type { SuggestionBlock, SuggestionIndex } from '#domain/catalogue/suggestions/public-files.ts';
import { browserLimits } from '#player/browser-limits.ts';
import { timedFetch } from '#player/timed-fetch.ts';
import type { SuggestionFiles } from './suggester.ts';

/**
 * The site's files, by address alone: they come from caches, and are the same for everybody, although each request has the session's
 * cookie.
 * @param language of the names of tags
 */
export function siteFiles(language: () => string): SuggestionFiles {
  return {
    index: async (isNew = false) =>
      (await read('index.json', isNew ? { cache: 'reload' } : {})).json() as Promise<SuggestionIndex>,
    shard: async (version, shard) => new Uint8Array(await (await read(`${version}/near/${shard}`)).arrayBuffer()),
    block: async (block) => (await read(`${language()}/audios/${block}`)).json() as Promise<SuggestionBlock>,
  };
}

async function read(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await timedFetch(`/suggestions/${path}`, { ...init, limitMs: browserLimits.asset });
  if (!response.ok) throw new Error(`Suggestions were answered with ${response.status}`);
  return response;
}
