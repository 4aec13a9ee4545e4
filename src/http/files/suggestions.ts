import { type Context, Hono } from 'hono';
import type { SuggestionBlock } from '#domain/catalogue/suggestions/public-files.ts';
import type { Images, ImageVariant } from '#domain/gateways.ts';
import type { Site } from '#domain/site.ts';
import { isLanguage } from '#formats/languages.ts';
import { inLanguage } from '#i18n';
import { cachedText } from '../cached-text.ts';
import { errorResponse, refuseUnlessRead } from '../errors.ts';
import { type RateLimit, clientAddress } from '../limits/rate-limit.ts';
import type { PublicCache } from '../public-cache.ts';

/** As pages show a cover on a phone, so that it is encoded once. */
const small: ImageVariant = { width: 256, height: undefined, quality: 80, format: 'avif', fit: 'cover' };

const ofAll = { 'x-robots-tag': 'noindex' };
/** Beyond every number, and within the database's integers. */
const tooLarge = 2 ** 27;
/** A page asks for some eighty, once. */
const perMinute = 600;

/**
 * Files of which a browser puts suggestions together (decision 093). Each is the same for everybody, and says nothing about
 * who reads it but that they may be interested in some of its audios.
 */
export function suggestionRoutes({
  site,
  images,
  cache,
  blockCache,
  rateLimit,
  trustProxy,
}: {
  site: Site;
  images: Images;
  cache: PublicCache;
  blockCache: PublicCache;
  rateLimit: RateLimit;
  trustProxy: number;
}): Hono {
  const app = new Hono();
  const { catalogue, facts } = site;
  const isWithin = (context: Context) => rateLimit(context, { kind: 'suggestions', perMinute });

  app.use('/suggestions/*', async (context, next) => (isWithin(context) ? next() : errorResponse('request/too-many')));
  app.get('/suggestions/index.json', ({ req }) =>
    cachedText(req.raw, {
      cache,
      key: 'suggestions',
      type: 'application/json',
      make: async () => JSON.stringify(await catalogue.findSuggestionIndex()),
      more: { ...ofAll, 'cache-control': 'public, max-age=60' },
    }),
  );

  app.get('/suggestions/:version{[0-9]+}/near/:number{[0-9]+}', ({ req }) => {
    const [version, shard] = [Number(req.param('version')), Number(req.param('number'))];
    return cachedText(req.raw, {
      cache,
      key: `suggestions ${version} near ${shard}`,
      type: 'application/octet-stream',
      make: async () => (shard < tooLarge ? catalogue.findNeighbourShard(version, shard) : undefined),
      // A count never changes.
      more: { ...ofAll, 'cache-control': 'public, max-age=31536000, immutable' },
    });
  });

  // Tags have names in each language.
  app.get('/suggestions/:language{[a-z][a-z]}/audios/:number{[0-9]+}', (context) => {
    const [code, block] = [context.req.param('language'), Number(context.req.param('number'))];
    if (!isLanguage(code) || !facts.languages.includes(code)) return errorResponse('request/not-found');
    return inLanguage(code, async () => {
      let partial: string | undefined;
      const answer = await cachedText(context.req.raw, {
        cache: blockCache,
        key: `suggestions of block ${block} in ${code}`,
        type: 'application/json',
        async make() {
          const made = block < tooLarge ? await makeBlock(block, clientAddress(context, trustProxy)) : undefined;
          if (made?.isWhole !== false) return made?.text;
          partial = made.text;
          return undefined;
        },
        more: { ...ofAll, 'cache-control': 'public, max-age=60' },
      });
      if (partial === undefined) return answer;
      const headers = { ...ofAll, 'content-type': 'application/json', 'cache-control': 'no-store' };
      return new Response(partial, { headers });
    });
  });

  /** @returns undefined beyond the last block; `isWhole`: no picture was refused, as when too many are made */
  async function makeBlock(block: number, client: string): Promise<{ text: string; isWhole: boolean } | undefined> {
    const audios = await catalogue.listSuggestionBlock(block);
    if (audios.length === 0 && block >= (await catalogue.findSuggestionIndex()).blocks) return undefined;
    let isWhole = true;
    const asker = { client, signal: new AbortController().signal };
    const withPictures = audios.map(async (audio) => {
      const made = audio.imageUrl === null ? undefined : images.variant(audio.imageUrl.slice(1), small, asker);
      const picture = await made?.catch(() => void (isWhole = false));
      return { ...audio, picture: picture ? Buffer.from(picture.bytes).toString('base64') : null };
    });
    return { text: JSON.stringify({ audios: await Promise.all(withPictures) } satisfies SuggestionBlock), isWhole };
  }

  app.all('/suggestions/*', refuseUnlessRead);
  return app;
}
