import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { z } from 'zod';
import { openVoiceArchive } from '#http/files/voice-archive.ts';
import { openBlobs } from '#start/open-blobs.ts';
import { CommandError, formatBytes } from '../command.ts';
import { ownCall } from './own-call.ts';

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
