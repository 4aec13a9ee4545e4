import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { parseArticle, publishArticle, readPublished } from '#domain/editorial/publishing.ts';
import { numberAudios } from '#domain/listening/publish-neighbours.ts';
import { setPreview } from '#domain/catalogue/site-settings.ts';
import { languageSetting } from '#domain/settings/languages.ts';
import { siteSettings } from '#domain/settings/tables.ts';
import { languageCodes } from '#formats/languages.ts';
import type { Db } from '#domain/kernel/db.ts';
import { newId } from '#domain/kernel/ids.ts';
import { type FileTools, storeFile } from '#domain/stored-files.ts';
import { hashFile } from '#gateways/local-files.ts';
import { type DemoCatalogue, type Recording, find, readDemoCatalogue } from './catalogue.ts';
import { type Demo, insertCatalogue } from './catalogue-rows.ts';
import { insertFacets } from './facets.ts';
import { insertListeners } from './listener-rows.ts';
import { seededRandom } from './random.ts';
import { insertTranslations } from './translations.ts';

const seed = 1609;

/**
 * Fills an empty site with the demo catalogue, all or nothing: files first, under content hashes, then every row in one
 * transaction. The next start repeats an interrupted one.
 * @param options `now`: the newest audio is published the day before
 * @returns whether it was loaded now
 */
export async function loadDemo(options: FileTools & { demoDir: string; now: Date }): Promise<boolean> {
  const { db, blobs, demoDir, now } = options;
  if (!(await isEmpty(db))) return false;
  const { catalogue, recordings, measures, translations } = await readDemoCatalogue(demoDir);
  const articles = await readDemoArticles(demoDir);
  const fileKeys = await storeRecordings({ db, blobs }, demoDir, catalogue, recordings);
  const imageKeys = await storeImages({ db, blobs }, demoDir, imageNames(catalogue, articles));
  const random = seededRandom(seed);
  const demo = { catalogue, recordings, measures, translations, fileKeys, imageKeys, idOf: rememberIds(), random, now };
  await db.transaction(async (tx) => {
    await insertListeners(tx, demo, await insertCatalogue(tx, demo));
    await insertFacets(tx, demo);
    await insertTranslations(tx, demoDir, demo);
    await publishDemoArticles(tx, articles, { imageKeys, now });
    await setPreview(tx, demo.idOf('audio', catalogue.preview));
    await tx.insert(siteSettings).values([
      { key: 'demo', value: { seed } },
      { key: languageSetting.key, value: Object.fromEntries(languageCodes.map((code) => [code, true])) },
    ]);
  });
  // So that “For you” has audios before the first hour has passed.
  await numberAudios(db);
  // Updates statistics, so that the first queries do not use plans for an empty database.
  await db.execute(sql`analyze`);
  return true;
}

/** Also false when a demo was loaded and its audios were deleted. */
async function isEmpty(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ filled: boolean }>(sql`
    select exists (select from audios) or exists (select from site_settings where key = 'demo') as filled`);
  return rows[0]?.filled === false;
}

function rememberIds(): Demo['idOf'] {
  const ids = new Map<string, string>();
  return (kind, slug) => {
    const key = `${kind} ${slug}`;
    const id = ids.get(key) ?? newId();
    ids.set(key, id);
    return id;
  };
}

async function storeRecordings(
  tools: FileTools,
  demoDir: string,
  { audios }: DemoCatalogue,
  recordings: Map<string, Recording>,
): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const { slug } of audios)
    keys.set(slug, await storeDemoFile(tools, 'audio', soundPath(demoDir, recordings, slug)));
  return keys;
}

function imageNames(catalogue: DemoCatalogue, articles: { slug: string }[]): string[] {
  return [
    ...catalogue.audios.map(({ slug }) => `audio-${slug}`),
    ...catalogue.voices.map(({ slug }) => `voice-${slug}`),
    ...catalogue.categories.map(({ slug }) => `category-${slug}`),
    ...catalogue.series.map(({ slug }) => `series-${slug}`),
    ...articles.map(({ slug }) => `article-${slug}`),
  ];
}

/** The loaded demo, with the keys of its stored files. */
export async function readDemo(demoDir: string) {
  const { catalogue, recordings } = await readDemoCatalogue(demoDir);
  const articles = await readDemoArticles(demoDir);
  const sounds = catalogue.audios.map(({ slug }) => blobKeyOf('audio', soundPath(demoDir, recordings, slug)));
  const images = imageNames(catalogue, articles).map((name) => blobKeyOf('images', imagePath(demoDir, name)));
  return { catalogue, articles, soundKeys: await Promise.all(sounds), imageKeys: await Promise.all(images) };
}

function soundPath(demoDir: string, recordings: Map<string, Recording>, slug: string): string {
  return join(demoDir, find(recordings, slug).file);
}

function imagePath(demoDir: string, name: string): string {
  return join(demoDir, `images/${name}.webp`);
}

async function storeImages(tools: FileTools, demoDir: string, names: string[]): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const name of names) keys.set(name, await storeDemoFile(tools, 'images', imagePath(demoDir, name)));
  return keys;
}

/** A hash of the content, so that a repeated copy changes nothing. */
async function blobKeyOf(folder: 'audio' | 'images', path: string): Promise<string> {
  return `${folder}/${(await hashFile(path)).slice(0, 20)}${extname(path)}`;
}

/** @returns the key */
async function storeDemoFile(tools: FileTools, folder: 'audio' | 'images', path: string): Promise<string> {
  const key = await blobKeyOf(folder, path);
  const { size: bytes } = await stat(path);
  await storeFile(tools, { key, bytes }, () => tools.blobs.importFile(key, path));
  return key;
}

/** The articles in `demo/articles/`; the front matter says how long ago each was published. */
async function readDemoArticles(demoDir: string) {
  const folder = join(demoDir, 'articles');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md')).toSorted();
  return Promise.all(
    files.map(async (file) => parseArticle(await readFile(join(folder, file), 'utf8'), basename(file, '.md'))),
  );
}

/** @param options.imageKeys by `article-` and slug */
async function publishDemoArticles(
  db: Db,
  articles: Awaited<ReturnType<typeof readDemoArticles>>,
  options: { imageKeys: Map<string, string>; now: Date },
): Promise<void> {
  for (const { published, ...form } of articles) {
    const { missing } = await publishArticle(db, form, {
      publishedAt: readPublished(published, options.now),
      imageKey: options.imageKeys.get(`article-${form.slug}`),
    });
    if (missing.length > 0) throw new Error(`The demo has no ${missing.join(', ')}, of which ${form.slug} speaks`);
  }
}
