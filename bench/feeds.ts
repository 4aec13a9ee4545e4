import { createHash, randomBytes, randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import pg from 'pg';
import { findRunningServer } from '#db/embedded/server.ts';
import { startBareRoutes } from './bare-routes.ts';
import { browserHeaders } from './browser-headers.ts';
import { type Figure, median, ratio } from './figures.ts';
import { createListeners } from './listeners.ts';

const items = 2000;
const rounds = 3;
const seconds = 4;
const connections = 16;

async function requestsPerSecond(url: string): Promise<number> {
  const result = await autocannon({ url, headers: browserHeaders, connections, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`The feed: ${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  return result.requests.average;
}

/** A private feed of 2,000 items, compared with a route that only sends the same bytes. */
export async function benchFeeds(siteUrl: string, dataDir: string): Promise<Figure[]> {
  const token = await createFeed((await findRunningServer(dataDir)) ?? '');
  const url = `${siteUrl}/feeds/${token}.xml`;
  const began = performance.now();
  const text = await (await fetch(url)).text();
  const firstMs = performance.now() - began;
  const found = text.split('<item>').length - 1;
  if (found !== items) throw new Error(`the feed has ${found} items`);
  const bare = await startBareRoutes({ feed: url });
  try {
    const shares: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const peer = await requestsPerSecond(bare.urls.feed);
      const share = (await requestsPerSecond(url)) / peer;
      // The first round only warms up.
      if (round > 0) shares.push(share);
    }
    return [
      ratio(`Private feed of ${items} items, ${connections} connections, of the bare route`, median(shares), 0.5),
      {
        name: `Private feed of ${items} items, made for the first time`,
        value: `${Math.round(firstMs)} ms`,
        limit: '',
        ok: undefined,
      },
    ];
  } finally {
    await bare.stop();
  }
}

/** @returns the token of a feed of a creator with that many audios */
async function createFeed(databaseUrl: string): Promise<string> {
  const [listener] = await createListeners(databaseUrl, 1);
  const voiceId = randomUUID();
  const token = randomBytes(24).toString('base64url');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into memberships (user_id, gift_until) values ($1, now() + interval '1 day')
        on conflict (user_id) do update set gift_until = excluded.gift_until`,
      [listener?.id],
    );
    await client.query(
      `insert into voices (id, slug, name, sort_name, voice_type_label) values ($1, $2, 'Bench', 'bench', 'Female voice')`,
      [voiceId, `bench-${voiceId}`],
    );
    await client.query(
      `insert into audios (id, slug, title, sort_title, description, voice_id, file_key, file_mime, file_bytes, duration_ms,
        published_at, first_published_at)
      select id, 'bench-' || id, 'Night ' || n, 'night ' || n, repeat(md5(n::text) || ' ', 8), $1, 'audio/' || id || '.m4a',
        'audio/mp4', 1000000 + n, 60000 + n, at, at
      from (select gen_random_uuid() as id, n, now() - n * interval '1 hour' as at from generate_series(1, $2) n) made`,
      [voiceId, items],
    );
    await client.query(
      `insert into private_feeds (id, user_id, kind, subject_id, token_hash) values ($1, $2, 'voice', $3, $4)`,
      [randomUUID(), listener?.id, voiceId, createHash('sha256').update(token).digest('hex')],
    );
  } finally {
    await client.end();
  }
  return token;
}
