import type { Blobs } from '#domain/gateways.ts';
import type { ArchivedArticle } from '#domain/admin/site/site-archive.ts';
import type { Actor } from '#domain/kernel/actor.ts';
import type { Site } from '#domain/site.ts';
import { type Entry, entriesOf, extensionOf, openBlob, zipOf } from './voice-archive.ts';

/** Everything of a site that another one can read, as one ZIP that is written as it is read. */
export async function openSiteZip(
  { site, blobs }: { site: Site; blobs: Blobs },
  actor: Actor,
): Promise<{ read(onFailure: (error: unknown) => void): ReadableStream<Uint8Array<ArrayBuffer>> }> {
  const archive = await site.admin.site.openSiteArchive(actor);
  const look = await site.admin.site.exportLook(actor);

  async function* entries(): AsyncGenerator<Entry> {
    yield { name: 'README.txt', input: readMe(site.facts) };
    yield { name: 'look.json', input: look };
    yield { name: 'members.csv', input: archive.members() };
    for await (const article of archive.articles()) {
      const name = `articles/${article.publishedAt === null ? 'drafts/' : ''}${article.slug}`;
      yield { name: `${name}.md`, input: articleFile(article) };
      const { imageKey } = article;
      if (imageKey !== null) yield* openBlob(blobs, imageKey, `${name}${extensionOf(imageKey)}`);
    }
    for (const slug of archive.creators) {
      const creator = await site.studio.openArchive(actor, slug);
      if (creator === undefined) continue;
      for await (const entry of entriesOf({ site, blobs }, creator))
        yield { ...entry, name: `creators/${slug}/${entry.name}` };
    }
  }
  return { read: (onFailure) => zipOf(entries(), onFailure) };
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

/** As `articles import` reads it. */
function articleFile({ title, description, topic, language, audios, publishedAt, body }: ArchivedArticle): string {
  const head = {
    title: oneLine(title),
    description: oneLine(description),
    topic,
    language,
    audios: audios.join(', '),
    published: publishedAt?.toISOString() ?? '',
  };
  const lines = Object.entries(head).flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]));
  return `---\n${lines.join('\n')}\n---\n${body}`;
}

function readMe({ name, url }: Site['facts']): string {
  return `Everything of ${name} (${url}) that another site can take in.

creators/       everything of each creator: a folder is what the Studio calls Move out
look.json       look, texts, topics and pages of the site: sotto look import
articles/       Markdown, as sotto articles import reads it, with pictures; drafts in a folder of their own
members.csv     who has time left, with running subscriptions: sotto members import

“sotto site import” takes in all but the members, who get a mail each: import them when the site is ready. Passwords, invoices,
plays, comments and settings with keys are not here. A backup has them, and restores the same site.
`;
}
