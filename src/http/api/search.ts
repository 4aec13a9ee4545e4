import type { z } from '@hono/zod-openapi';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { clientAddress } from '../limits/rate-limit.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import * as contract from './search-contract.ts';

type SearchQuery = z.infer<typeof contract.SearchQuery>;

/** With fewer audio hits than requested, or than this, transcripts are searched too. */
const few = 24;

/** Spec §7: the search, and a listener's recent terms. */
export function searchRoutes({ site: { search }, trustProxy }: ApiParts) {
  async function findHits(context: Context<ApiEnv>, { query: term, index, free, page, limit }: SearchQuery) {
    const groups = index === undefined ? undefined : [index];
    const query = { term, groups, page, limit, few: Math.min(limit, few), onlyFree: free === 'true' };
    const results = await search.search(context.get('viewer'), query, clientAddress(context, trustProxy));
    // A search then waits briefly for the index of a site that has just started.
    if (!search.isReady()) context.header('x-search-partial', 'true');
    return results;
  }

  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.search, async (context) => context.json(await findHits(context, context.req.valid('query')), 200))
    .openapi(contract.searchByOldName, async (context) =>
      context.json(await findHits(context, context.req.valid('query')), 200),
    )
    .openapi(contract.listRecentTerms, async (context) =>
      context.json({ items: await search.listRecentTerms(context.get('loggedIn').viewer.id) }, 200),
    )
    .openapi(contract.rememberTerm, async (context) => {
      await search.rememberTerm(context.get('loggedIn').viewer.id, context.req.valid('json').term);
      return context.body(null, 204);
    })
    .openapi(contract.purgeTerms, async (context) => {
      await search.purgeTerms(context.get('loggedIn').viewer.id, context.req.valid('json').term);
      return context.body(null, 204);
    });
}
