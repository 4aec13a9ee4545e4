import { imageUrl } from '../../catalogue/audios.ts';
import type { Actor } from '../../kernel/actor.ts';
import { changedMeanwhile } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import type { NotAPicture, PictureTools } from '../../studio/editing.ts';
import { withPicture } from '../../studio/editing.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { recordByOperator } from '../record.ts';

/** `picture`: null removes it. `before`: address of the picture that the operator saw; absent: not checked. */
export type PictureChange = { picture: Uint8Array | null; before?: string | null | undefined };

type Pictured = { id: string; name: string; imageKey: string | null };

type Outcome<Thing> = { ok: true; thing: Thing } | NotAPicture | { ok: false; reason: 'not-found' };

/**
 * Gives a category or playlist a picture, and notes it in the log.
 * @param options.find locks the row
 */
export async function changePicture<Thing extends Pictured>(
  tools: PictureTools,
  actor: Actor,
  { picture, before }: PictureChange,
  options: {
    type: 'category' | 'playlist';
    find: (tx: Db) => Promise<Thing | undefined>;
    save: (tx: Db, id: string, kept: { imageKey?: string | null }) => Promise<unknown>;
  },
): Promise<Outcome<Thing>> {
  administratorsOnly(actor);
  const { type, find, save } = options;
  return withPicture<Outcome<Thing>>(tools, picture, find, async (tx, kept) => {
    const thing = await find(tx);
    if (thing === undefined) return { ok: false, reason: 'not-found' };
    const { id, name, imageKey } = thing;
    if (before !== undefined && before !== imageUrl(imageKey))
      throw await changedMeanwhile(tx, { type, id }, 'picture/changed');
    await save(tx, id, kept);
    await recordByOperator(tx, actor, {
      action: `${type}.edit`,
      subject: { type, id, name },
      before: { imageKey },
      after: { imageKey: kept.imageKey },
    });
    return { ok: true, thing };
  });
}
