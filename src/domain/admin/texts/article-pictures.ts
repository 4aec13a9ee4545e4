import { and, eq, isNull } from 'drizzle-orm';
import type { PictureArea } from '../../editorial/rules.ts';
import { articles } from '../../editorial/tables.ts';
import type { Blobs, Covers } from '../../gateways.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { keepImage } from '../../studio/uploads/keep-files.ts';
import { heightOf, isAreaOf, middleOf } from '../../studio/rules.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { changeArticle } from './articles.ts';
import { articleRatio } from '../rules.ts';

export type ArticlePicture =
  | { picture: Uint8Array }
  | { area: { x: number; y: number; size: number } }
  | { drawn: true }
  | { picture: null };

/** Sets, crops, generates or removes an article's picture. @returns the next revision */
export async function setArticlePicture(
  { db, blobs, covers }: { db: Db; blobs: Blobs; covers: Covers },
  actor: Actor,
  id: string,
  { revision, ...choice }: { revision: number } & ArticlePicture,
): Promise<number> {
  administratorsOnly(actor);
  if (!isId(id) || (await db.$count(articles, and(eq(articles.id, id), isNull(articles.deletedAt)))) === 0)
    throw new DomainError('request/not-found');
  // Runs before the transaction, because decoding is slow.
  const cut = await cutPicture({ db, blobs, covers }, id, revision, choice);
  const set =
    cut === undefined
      ? { imageKey: null, pictureKey: null, pictureArea: null }
      : {
          imageKey: await keepImage({ db, blobs }, cut.image),
          pictureKey: 'key' in cut.whole ? cut.whole.key : await keepImage({ db, blobs }, cut.whole.image),
          pictureArea: cut.area,
        };
  return changeArticle(db, actor, id, revision, 'article.picture', async () => ({ set }));
}

type Cut = { image: Uint8Array; whole: { image: Uint8Array } | { key: string }; area: PictureArea };

async function cutPicture(
  { db, blobs, covers }: { db: Db; blobs: Blobs; covers: Covers },
  id: string,
  revision: number,
  choice: ArticlePicture,
): Promise<Cut | undefined> {
  if ('picture' in choice && choice.picture === null) return undefined;
  const unreadable = () => new DomainError('picture/unreadable');
  async function cutOut(image: Uint8Array, area: PictureArea): Promise<Uint8Array> {
    const { x, y, size } = area;
    const part = await covers.cut(image, { x, y, size, height: heightOf(size, articleRatio) });
    if (part === undefined) throw unreadable();
    return part;
  }
  if ('area' in choice) {
    const [row] = await db
      .select({ key: articles.pictureKey, area: articles.pictureArea })
      .from(articles)
      .where(eq(articles.id, id));
    if (!row?.key || row.area === null || (await blobs.stat(row.key)) === undefined) throw unreadable();
    const { width, height } = row.area;
    if (!isAreaOf(choice.area, { width, height }, articleRatio)) throw new DomainError('audio/bad-area');
    const whole = new Uint8Array(await new Response(blobs.read(row.key)).arrayBuffer());
    const area = { ...choice.area, width, height };
    return { image: await cutOut(whole, area), whole: { key: row.key }, area };
  }
  // Each press generates a different picture.
  const kept = await covers.keep(
    'drawn' in choice ? await covers.draw(`${id} ${revision}`) : (choice.picture ?? new Uint8Array()),
  );
  if (kept === undefined) throw unreadable();
  const { image, width, height } = kept;
  if (Math.min(width, height) < 16) throw unreadable();
  const area = { ...middleOf(kept, articleRatio), width, height };
  return { image: await cutOut(image, area), whole: { image }, area };
}
