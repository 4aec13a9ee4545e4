import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { seededRandom } from '#demo/random.ts';
import { sortKey, toSlug } from '#domain/kernel/ids.ts';
import { root } from './site-process.ts';

export type SearchCatalogue = {
  titles: string[];
  names: string[];
  /** In the order of `names`. */
  bios: string[];
  listTitles: string[];
  usernames: string[];
};

type DemoTexts = {
  audios: { title: string; description: string; tags: string[] }[];
  voices: { name: string; bio: string }[];
  categories: { label: string }[];
};
type DemoRecordings = Record<string, { cues: { text: string }[] }>;

const baseSizes = { audios: 100_000, voices: 5000, lists: 20_000, users: 2000, transcripts: 10_000 };
const perInsert = 5000;

/**
 * Fills a migrated database with a large catalogue made of fragments of the demo's texts, with a fixed seed.
 * @param times how many times as large as 127,012 documents
 */
export async function fillSearchCatalogue(url: string, times = 1): Promise<SearchCatalogue> {
  // A connection without the site's timeouts: these statements take long.
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await fill(client, times);
  } finally {
    await client.end();
  }
}

async function fill(client: pg.Client, times: number): Promise<SearchCatalogue> {
  const { audios, voices, lists, users, transcripts } = baseSizes;
  const sizes = {
    audios: audios * times,
    voices: voices * times,
    lists: lists * times,
    users: users * times,
    transcripts: transcripts * times,
  };
  const demo = JSON.parse(await readFile(join(root, 'demo', 'catalogue.json'), 'utf8')) as DemoTexts;
  const recordings = JSON.parse(await readFile(join(root, 'demo', 'recordings.json'), 'utf8')) as DemoRecordings;
  const random = seededRandom(1609);
  const whole = (below: number) => Math.floor(random() * below);
  const words = [
    ...Object.values(recordings).flatMap(({ cues }) => cues.map(({ text }) => text)),
    ...demo.audios.flatMap(({ title, description }) => [title, description]),
    ...demo.voices.flatMap(({ name, bio }) => [name, bio]),
  ]
    .join(' ')
    .split(/[^\p{L}\p{N}’']+/u)
    .filter((word) => word !== '');
  const long = [...new Set(words.filter((word) => word.length > 3).map((word) => word.toLowerCase()))].sort();
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const piece = (length: number) => {
    const from = whole(words.length - length);
    return words.slice(from, from + length).join(' ');
  };
  const unique = (count: number, make: () => string): string[] => {
    const made = new Set<string>();
    while (made.size < count) made.add(make());
    return [...made];
  };
  const names = unique(
    sizes.voices,
    () => `${capital(long[whole(long.length)] ?? '')} ${capital(long[whole(long.length)] ?? '')}`,
  );
  const titles = unique(sizes.audios, () => capital(`${piece(2 + whole(2))} ${piece(1 + whole(3))}`).slice(0, 200));
  const listTitles = unique(sizes.lists, () => `${piece(2)} ${long[whole(long.length)] ?? ''}`.slice(0, 100));
  const usernames = unique(sizes.users, () =>
    `${long[whole(long.length)] ?? ''}.${whole(1000)}`.replace(/[^a-z0-9.]/g, '').slice(0, 24),
  );
  const tags = [...new Set(demo.audios.flatMap((audio) => audio.tags))];

  async function insert(statement: string, rows: unknown[][]): Promise<void> {
    for (let from = 0; from < rows.length; from += perInsert) {
      const part = rows.slice(from, from + perInsert);
      await client.query(
        statement,
        (part[0] ?? []).map((_, column) => part.map((row) => row[column])),
      );
    }
  }
  await insert(
    `insert into categories (id, slug, label, position) select gen_random_uuid(), slug, label, position from unnest($1::text[], $2::text[], $3::int[]) t (slug, label, position)`,
    demo.categories.map(({ label }, position) => [toSlug(label), label, position]),
  );
  await insert(
    `insert into tags (id, slug, label) select gen_random_uuid(), slug, label from unnest($1::text[], $2::text[]) t (slug, label)`,
    tags.map((label) => [toSlug(label), label]),
  );
  const bios = names.map(() => piece(20));
  await insert(
    `insert into voices (id, slug, name, sort_name, voice_type_label, bio)
     select gen_random_uuid(), 'voice-' || number, name, sort_name, 'Female voice', bio from unnest($1::int[], $2::text[], $3::text[], $4::text[]) t (number, name, sort_name, bio)`,
    names.map((name, number) => [number, name, sortKey(name), bios[number]]),
  );
  await insert(
    `insert into audios (id, slug, title, sort_title, description, voice_id, file_key, file_mime, file_bytes, duration_ms, published_at)
     select gen_random_uuid(), 'audio-' || t.number, title, sort_title, description, v.id, 'audio/' || t.number || '.mp3', 'audio/mpeg', 1000,
       60000 + t.number, now() - make_interval(mins => t.number + 1)
     from unnest($1::int[], $2::text[], $3::text[], $4::text[]) t (number, title, sort_title, description)
     join (select id, row_number() over (order by slug) - 1 as number from voices) v on v.number = t.number % ${sizes.voices}`,
    titles.map((title, number) => [number, title, sortKey(title), piece(12 + whole(10))]),
  );
  await client.query(`update audio_counts set plays = abs(hashtext(audio_id::text)) % 100000`);
  await client.query(
    `insert into audio_categories (audio_id, category_id) select a.id, c.id from audios a
     join (select id, row_number() over (order by slug) as number, count(*) over () as total from categories) c on c.number = a.duration_ms % c.total + 1`,
  );
  await client.query(
    `insert into audio_tags (audio_id, tag_id) select a.id, t.id from audios a
     join (select id, row_number() over (order by slug) as number, count(*) over () as total from tags) t
       on t.number in (a.duration_ms % t.total + 1, (a.duration_ms * 7 + 3) % t.total + 1)`,
  );
  await insert(
    `insert into users (id, username) select gen_random_uuid(), name from unnest($1::text[]) name`,
    usernames.map((name) => [name]),
  );
  await insert(
    `insert into user_playlists (id, user_id, title, background, font, is_public)
     select gen_random_uuid(), u.id, title, 'Pink to Blue', 'Lora Bold', true from unnest($1::int[], $2::text[]) t (number, title)
     join (select id, row_number() over (order by username) - 1 as number from users) u on u.number = t.number % ${sizes.users}`,
    listTitles.map((title, number) => [number, title]),
  );
  // One audio each: the search skips empty playlists.
  await client.query(
    `insert into user_playlist_items (user_playlist_id, audio_id, position)
     select p.id, a.id, 0 from (select id, row_number() over (order by id) as number from user_playlists) p
     join audios a on a.slug = 'audio-' || p.number`,
  );
  await client.query(`update user_playlist_counts set plays = abs(hashtext(user_playlist_id::text)) % 10000`);
  const cues = () =>
    JSON.stringify(Array.from({ length: 12 }, (_, line) => ({ start: line * 5, end: line * 5 + 5, text: piece(12) })));
  await insert(
    `insert into transcripts (audio_id, cues) select a.id, t.cues from unnest($1::int[], $2::jsonb[]) t (number, cues)
     join audios a on a.slug = 'audio-' || t.number`,
    Array.from({ length: sizes.transcripts }, (_, number) => [number * 10, cues()]),
  );
  await client.query('vacuum analyze');
  return { titles, names, bios, listTitles, usernames };
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz';

/** One or two typos in the words of a text: a letter added, missing, wrong, or swapped with its neighbour. */
export function misspell(text: string, random: () => number): string {
  let letters = [...text];
  for (let slips = 1 + Math.floor(random() * 2); slips > 0; slips -= 1) {
    const places = letters.flatMap((letter, place) => (/\p{L}/u.test(letter) ? [place] : []));
    const place = places[Math.floor(random() * places.length)] ?? 0;
    const other = alphabet[Math.floor(random() * alphabet.length)] ?? 'e';
    const next = letters[place + 1];
    const kind = Math.floor(random() * 4);
    if (kind === 0) letters.splice(place, 0, other);
    else if (kind === 1) letters.splice(place, 1);
    else if (kind === 2 || next === undefined || !/\p{L}/u.test(next)) letters[place] = other;
    else letters.splice(place, 2, next, letters[place] ?? '');
    letters = letters.filter((letter) => letter !== '');
  }
  return letters.join('');
}
