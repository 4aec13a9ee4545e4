import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { z } from 'zod';
import { openSiteZip } from '#http/files/site-archive.ts';
import { openVoiceArchive } from '#http/files/voice-archive.ts';
import { openBlobs } from '#start/open-blobs.ts';
import { type ArchiveStart, importArchive } from '#domain/studio/moving-in/import-archive.ts';
import { storeFile } from '#domain/stored-files.ts';
import { openArchives } from '#gateways/archives/open-archive.ts';
import { hashFile } from '#gateways/local-files.ts';
import { CommandError, formatBytes } from '../command.ts';
import type { SiteTools } from '../open/with-site.ts';
import { flag, ownCall } from './own-call.ts';
import { importSiteArchive } from './site-files.ts';

export const exportVoice = ownCall('voices export', {
  path: '/voices/{id}',
  about:
    'Everything of a creator as one ZIP: sound, covers, texts, figures, comments, and a feed that others can import',
  input: z.object({
    to: z.string().min(1).optional().describe('a new file; its slug and the day, in this folder, when none is given'),
  }),
  async act({ site, viewer, tools, context, id, input: { to } }) {
    const opened = await openVoiceArchive({ site, blobs: await openBlobs(tools.config) }, viewer, id);
    if (opened === undefined) return undefined;
    return writeNew(
      resolve(context.startFolder, to ?? opened.fileName),
      opened.read(() => {}),
    );
  },
});

/** Only this account of the machine may read it: it may hold addresses of members. */
async function writeNew(path: string, content: globalThis.ReadableStream) {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  let isOurs = false;
  file.once('open', () => (isOurs = true));
  try {
    await pipeline(Readable.fromWeb(content as ReadableStream), file);
  } catch (error) {
    // Half an archive looks like a whole one.
    if (isOurs) await rm(path, { force: true });
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new CommandError(`${path} is there already`);
    throw error;
  }
  const { size } = await stat(path);
  return { file: path, size: formatBytes(size) };
}

const archiveRefusals: Record<Extract<ArchiveStart, { ok: false }>['reason'], string> = {
  'not-an-archive': 'This is not the archive of a creator',
  'slug-taken': 'There is a creator with this address; --voice adds the archive to the one that it names',
  'not-found': 'There is no such creator',
  'import-under-way': 'An import of this creator is under way',
  'too-many-imports': 'There were too many imports of this creator today',
};

export const importVoice = ownCall('voices import', {
  path: '/archives/{file}',
  about: 'A creator from the ZIP that `voices export`, or the Studio of another site, has written',
  details:
    'Makes the creator, unless --voice names one. The running site reads it as a job: feed-imports show and items tell how far it is',
  query: z.object({ drafts: flag.describe('leave what was published as drafts') }),
  input: z.object({ voice: z.string().min(1).optional().describe('slug of a creator who is here') }),
  async act({ viewer, tools, context, file, query, input: { voice } }) {
    const { openArchive, ...stored } = await storeArchive(tools, resolve(context.startFolder, file));
    const started = await importArchive({ db: tools.db, addJobs: async () => undefined, openArchive }, viewer, {
      ...stored,
      voice,
      asDrafts: query.drafts === 'true',
    });
    if (!started.ok) throw new CommandError(archiveRefusals[started.reason]);
    return { creator: started.slug, import: started.id };
  },
});

/** Jobs read it where it is stored. */
async function storeArchive({ db, config }: Pick<SiteTools, 'db' | 'config'>, path: string) {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new CommandError(`There is no file ${path}`);
  const blobs = await openBlobs(config);
  const key = `archives/${(await hashFile(path)).slice(0, 20)}.zip`;
  await storeFile({ db, blobs }, { key, bytes: found.size }, () => blobs.importFile(key, path));
  return { key, name: basename(path).slice(0, 255), openArchive: openArchives({ blobs }) };
}

export const exportSite = ownCall('site export', {
  path: '/archives/{file}',
  about: 'Everything of the site that another one can take in, as one ZIP: creators, look, articles, members as CSV',
  async act({ site, viewer, tools, context, file }) {
    const opened = await openSiteZip({ site, blobs: await openBlobs(tools.config) }, viewer);
    return writeNew(
      resolve(context.startFolder, file),
      opened.read(() => {}),
    );
  },
});

export const importSite = ownCall('site import', {
  path: '/archives/{file}',
  about: 'Takes in what `site export` has written: look, articles, and all creators who are not here',
  details:
    'The running site reads the creators as jobs. Repeated when they are done, it puts their audios into the articles. Members come with `members import`',
  query: z.object({ drafts: flag.describe('leave what was published as drafts') }),
  async act({ site, viewer, tools, context, file, query }) {
    const { openArchive, ...stored } = await storeArchive(tools, resolve(context.startFolder, file));
    const files = await openArchive(stored.key, '');
    try {
      const outcome = await importSiteArchive({ site, viewer, tools, files }, (note) => context.note(note));
      const folders = new Set(files.names.flatMap((name) => /^creators\/[a-z0-9-]+\//.exec(name)?.[0] ?? []));
      let creators = 0;
      for (const folder of folders) {
        const started = await importArchive({ db: tools.db, addJobs: async () => undefined, openArchive }, viewer, {
          ...stored,
          folder,
          asDrafts: query.drafts === 'true',
        });
        if (started.ok) creators += 1;
        else if (started.reason === 'slug-taken') context.note(`${folder.slice(9, -1)} is here already`);
        else context.note(`${folder.slice(9, -1)}: ${archiveRefusals[started.reason]}`);
      }
      return { ...outcome, creators };
    } finally {
      files.close();
    }
  },
});
