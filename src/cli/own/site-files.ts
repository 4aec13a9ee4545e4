import { importArticle } from '#domain/admin/texts/articles.ts';
import { blogTopics } from '#domain/editorial/topics.ts';
import { parseArticle, readPublished } from '#domain/editorial/publishing.ts';
import type { ArchiveFiles } from '#domain/gateways.ts';
import type { Actor } from '#domain/kernel/actor.ts';
import { findSetting } from '#domain/settings/change-setting.ts';
import type { Site } from '#domain/site.ts';
import { keepImage } from '#domain/studio/uploads/keep-files.ts';
import { openCovers } from '#gateways/covers.ts';
import { openBlobs } from '#start/open-blobs.ts';
import { CommandError } from '../command.ts';
import type { SiteTools } from '../open/with-site.ts';

const maxBytes = 24 * 1024 * 1024;

/** Look and articles of another site. Drafts of articles stay in the archive. */
export async function importSiteArchive(
  { site, viewer, tools, files }: { site: Site; viewer: Actor; tools: SiteTools; files: ArchiveFiles },
  note: (text: string) => void,
): Promise<{ articles: number }> {
  const read = async (name: string) => (await files.read(name, { bytes: maxBytes })).content;
  if (!files.names.includes('look.json')) throw new CommandError('This is not the archive of a site');
  const look = await site.admin.site.importLook(viewer, (await read('look.json')).toString('utf8'));
  if (!look.ok) throw new CommandError(`The look cannot be imported: ${look.reason}`);
  const { db, config } = tools;
  const blobs = await openBlobs(config);
  const covers = openCovers();
  const { topics } = (await findSetting(db, blogTopics)).value;
  let articles = 0;
  for (const name of files.names) {
    const slug = /^articles\/([a-z0-9-]+)\.md$/.exec(name)?.[1];
    if (slug === undefined) continue;
    const { published, ...form } = parseArticle((await read(name)).toString('utf8'), slug, topics);
    const picture = files.names.includes(`articles/${slug}.webp`) ? await read(`articles/${slug}.webp`) : undefined;
    const image = picture && (await covers.encode(picture));
    const imageKey = image && (await keepImage({ db, blobs }, image));
    const publishedAt = readPublished(published, new Date());
    const { missing } = await importArticle(db, viewer, form, { publishedAt, imageKey });
    if (missing.length > 0) note(`The article ${slug} waits for its audios: ${missing.join(', ')}`);
    articles += 1;
  }
  return { articles };
}
