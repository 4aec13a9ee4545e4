import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { z } from 'zod';
import { openVoiceArchive } from '#http/files/voice-archive.ts';
import { openBlobs } from '#start/open-blobs.ts';
import { type ArchiveStart, importArchive } from '#domain/studio/moving-in/import-archive.ts';
import { storeFile } from '#domain/stored-files.ts';
import { openArchives } from '#gateways/archives/open-archive.ts';
import { hashFile } from '#gateways/local-files.ts';
import { CommandError, formatBytes } from '../command.ts';
import { flag, ownCall } from './own-call.ts';

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
    const path = resolve(context.startFolder, to ?? opened.fileName);
    const file = createWriteStream(path, { flags: 'wx' });
    let isOurs = false;
    file.once('open', () => (isOurs = true));
    try {
      await pipeline(Readable.fromWeb(opened.read(() => {}) as ReadableStream), file);
    } catch (error) {
      // Half an archive looks like a whole one.
      if (isOurs) await rm(path, { force: true });
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new CommandError(`${path} is there already`);
      throw error;
    }
    const { size } = await stat(path);
    return { file: path, size: formatBytes(size) };
  },
});

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
    const path = resolve(context.startFolder, file);
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) throw new CommandError(`There is no file ${path}`);
    const { db } = tools;
    const blobs = await openBlobs(tools.config);
    const key = `archives/${(await hashFile(path)).slice(0, 20)}.zip`;
    await storeFile({ db, blobs }, { key, bytes: found.size }, () => blobs.importFile(key, path));
    const started = await importArchive(
      { db, addJobs: async () => undefined, openArchive: openArchives({ blobs }) },
      viewer,
      { key, name: basename(path).slice(0, 255), voice, asDrafts: query.drafts === 'true' },
    );
    if (!started.ok) throw new CommandError(archiveRefusals[started.reason]);
    return { creator: started.slug, import: started.id };
  },
});
