import { Hono } from 'hono';
import type { OriginalFile } from '#domain/studio/audios/audio-facts.ts';
import { errorResponse, refuseUnlessRead } from '../errors.ts';
import { type FileOptions, answerFile } from './media.ts';

/** `GET /studio-files/audios/{id}/original`: the original file, for managers of its voice. */
export function originalRoutes({
  findOriginal,
  blobs,
  onMissingFile,
}: FileOptions & { findOriginal(request: Request, id: string): Promise<OriginalFile | undefined> }): Hono {
  const app = new Hono();
  const path = '/studio-files/audios/:id/original';

  app.get(path, async (c) => {
    const file = await findOriginal(c.req.raw, c.req.param('id'));
    if (file === undefined) return errorResponse('request/not-found');
    // Storage addresses cannot contain the file's name, so the site forwards the bytes.
    const { remote } = blobs;
    const { links: _links, ...withoutLinks } = remote ?? { links: undefined };
    const passing = remote === undefined ? blobs : { ...blobs, remote: withoutLinks as typeof remote };
    const answer = await answerFile(c, { ...file, cache: 'private' }, { blobs: passing, onMissingFile });
    if (answer.status !== 404) answer.headers.set('content-disposition', attachment(file.fileName));
    return answer;
  });

  app.all(path, refuseUnlessRead);
  return app;
}

/** RFC 6266: a plain name for old browsers, and the exact one. */
function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\w .()-]/g, '_');
  const exact = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
