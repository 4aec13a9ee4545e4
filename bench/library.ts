import { formatCount } from '#formats/numbers.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findRunningServer } from '#db/embedded/server.ts';
import { newId } from '#domain/kernel/ids.ts';
import { browserFetch } from './browser-headers.ts';
import { type Figure, median } from './figures.ts';
import { createListeners } from './listeners.ts';
import { startSite } from './site-process.ts';

const rounds = 120;
const warmUp = 20;
const max = 1.5;

type Size = 'small' | 'large';
type Sized = Record<Size, string>;

/** Favorites, audios of a playlist, comments: fifty of each against a large number. */
const sizes = {
  favorites: { small: 50, large: 5000 },
  audios: { small: 50, large: 2000 },
  comments: { small: 50, large: 50_000 },
};

/** Times of requests with a large library relative to a small one, measured alternately. */
export async function benchLibrary(): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-bench-'));
  const site = await startSite({ DATA_DIR: dataDir, DEMO: 'false' });
  try {
    const databaseUrl = await findRunningServer(dataDir);
    if (databaseUrl === undefined) throw new Error('The database of the site does not answer');
    const { tokens, playlists, audios } = await fill(databaseUrl);
    const { favorites, audios: inList, comments } = sizes;
    const api = (path: (size: Size) => string) => (size: Size) => `/v1/api${path(size)}`;
    const asked: { name: string; path: (size: Size) => string; of: { small: number; large: number } }[] = [
      { name: 'Library page', path: () => '/library', of: favorites },
      { name: 'Favourites, all groups', path: api(() => '/user/favorites'), of: favorites },
      { name: 'Favourite audios', path: api(() => '/user/favorites/audios'), of: favorites },
      { name: 'Playlist page', path: (size) => `/users-playlists/${playlists[size]}`, of: inList },
      { name: 'Playlist', path: api((size) => `/users-playlists/${playlists[size]}`), of: inList },
      { name: 'Audios of a playlist', path: api((size) => `/users-playlists/${playlists[size]}/audios`), of: inList },
      { name: 'Audio page', path: (size) => `/audio/${audios[size]}`, of: comments },
      { name: 'Comments', path: api((size) => `/audios/${audios[size]}/comments`), of: comments },
    ];
    const figures: Figure[] = [];
    for (const { name, path, of } of asked) {
      const times = await measure({ small: site.url + path('small'), large: site.url + path('large') }, tokens);
      const value = times.large / times.small;
      figures.push({
        name: `${name}: p50 with ${formatCount(of.large)} of that with ${of.small}`,
        value: `${value.toFixed(2)}× (${times.large.toFixed(1)} ms)`,
        limit: `≤ ${max}×`,
        ok: value <= max,
      });
    }
    return figures;
  } finally {
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(urls: Sized, tokens: Sized): Promise<Record<Size, number>> {
  const times: Record<Size, number[]> = { small: [], large: [] };
  for (let round = 0; round < rounds + warmUp; round += 1) {
    for (const size of ['small', 'large'] as const) {
      const begin = performance.now();
      const response = await browserFetch(urls[size], {
        // Pages use the cookie, calls the token.
        headers: { authorization: `Bearer ${tokens[size]}`, cookie: `sotto_session=${tokens[size]}` },
      });
      const { byteLength } = await response.arrayBuffer();
      if (!response.ok || byteLength === 0) throw new Error(`${urls[size]} answered ${response.status}`);
      if (round >= warmUp) times[size].push(performance.now() - begin);
    }
  }
  return { small: median(times.small), large: median(times.large) };
}

/** Written directly into the database, with the triggers that the site uses. */
async function fill(databaseUrl: string): Promise<{ tokens: Sized; playlists: Sized; audios: Sized }> {
  const [small, large, ...writers] = await createListeners(databaseUrl, 1002);
  if (small === undefined || large === undefined) throw new Error('There are no listeners');
  const client = new pg.Client({ connectionString: databaseUrl, statement_timeout: 0 });
  await client.connect();
  try {
    const voiceId = newId();
    await client.query(
      `insert into voices (id, slug, name, sort_name, voice_type_label) values ($1, 'voice', 'Voice', 'voice', 'Female voice')`,
      [voiceId],
    );
    await client.query(
      `insert into audios (id, slug, title, sort_title, description, voice_id, file_key, file_mime, file_bytes, duration_ms, published_at)
       select gen_random_uuid(), 'audio-' || n, 'Audio ' || n, 'audio ' || lpad(n::text, 8, '0'), repeat('A description. ', 8), $1,
         'audio/' || n || '.mp3', 'audio/mpeg', 1000, 60000 + n, now() - make_interval(mins => n) from generate_series(1, 10000) n`,
      [voiceId],
    );
    const playlists = { small: newId(), large: newId() };
    for (const [size, listener] of [
      ['small', small],
      ['large', large],
    ] as const) {
      await client.query(
        `insert into audio_favorites (user_id, content_id, created_at)
         select $1, id, now() - make_interval(secs => row_number() over (order by id)) from audios order by id limit $2`,
        [listener.id, sizes.favorites[size]],
      );
      await client.query(
        `insert into user_playlists (id, user_id, title, background, font, is_public) values ($1, $2, 'A list', 'Pink to Blue', 'Lora Bold', true)`,
        [playlists[size], listener.id],
      );
      await client.query(
        `insert into user_playlist_items (user_playlist_id, audio_id, position)
         select $1, id, 1024 * row_number() over (order by id) from audios order by id limit $2`,
        [playlists[size], sizes.audios[size]],
      );
      await writeComments(
        client,
        `audio-${size === 'small' ? 1 : 2}`,
        writers.map(({ id }) => id),
        sizes.comments[size],
      );
    }
    // Includes comments by blocked users.
    await client.query(
      `insert into user_blocks (user_id, blocked_id) select one, other from unnest($1::uuid[]) one, unnest($2::uuid[]) other`,
      [[small.id, large.id], writers.slice(0, 10).map(({ id }) => id)],
    );
    await client.query('vacuum analyze');
    return {
      tokens: { small: small.token, large: large.token },
      playlists,
      audios: { small: 'audio-1', large: 'audio-2' },
    };
  } finally {
    await client.end();
  }
}

/** Every fourth comment replies to an earlier one. */
async function writeComments(client: pg.Client, slug: string, writers: string[], total: number): Promise<void> {
  const ids = Array.from({ length: total }, () => newId());
  const answers = ids.map((_, index) => (index % 4 === 3 ? ids[Math.floor(index / 8) * 4] : null));
  for (const isAnswer of [false, true])
    await client.query(
      `insert into comments (id, audio_id, parent_id, user_id, text)
       select c.id, a.id, c.parent_id, ($4::uuid[])[1 + c.number % cardinality($4::uuid[])], 'Comment ' || c.number
       from unnest($1::uuid[], $2::uuid[]) with ordinality as c (id, parent_id, number), audios a
       where a.slug = $3 and (c.parent_id is not null) = $5`,
      [ids, answers, slug, writers, isAnswer],
    );
}
