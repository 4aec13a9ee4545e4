import { type Param, type Placeholder, type SQL, and, asc, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { isPublished } from '../catalogue/audios.ts';
import { type CommentOrder, type Commenters, commentersOf } from '../catalogue/rules.ts';
import { audioCounts, audios, voices } from '../catalogue/tables.ts';
import { isNotBlockedBy } from '../catalogue/visibility.ts';
import { type Db, pick } from '../kernel/db.ts';
import { isId } from '../kernel/ids.ts';
import { prepareOnce } from '../kernel/prepared.ts';
import { UserShape } from '../identity/shapes.ts';
import { userColumns, users } from '../identity/tables.ts';
import { type Page, type PageQuery, encodeCursor, pageIn, toPage } from '../kernel/pages.ts';
import { Id, Instant, Language } from '../kernel/shapes.ts';
import { type Viewer, visitor } from '../kernel/viewer.ts';
import {
  answerableThreads,
  countHiddenComments,
  countVisibleReplies,
  isKept,
  isShown,
  isShownTo,
  isWaiting,
  readsAll,
  readsAsVisitor,
  visibleComments,
  visibleThreads,
} from './comment-visibility.ts';
import { type Place, decodePlace, encodePlace, findMostAnswered, threadsAfter } from './comment-order.ts';
import { pausedUntilSql } from './comment-settings.ts';
import { type WriterReason, writerReasons } from './rules.ts';
import { comments } from './tables.ts';

/** A comment on an audio. A hidden one remains as a placeholder for its replies. */
export const Comment = z.object({
  id: Id,
  audioId: Id,
  parentId: Id.nullable(),
  state: z.enum(['shown', 'deleted', 'removed']).describe('Other than shown: it only holds its replies'),
  text: z.string().nullable().describe('Plain text; null where it is not shown'),
  language: Language.nullable().describe('BCP 47, of the page on which it was written; null: not known'),
  user: UserShape.nullable(),
  isCreator: z.boolean().describe('Its author owns the voice'),
  createdAt: Instant,
  totalReplies: z.number(),
  waitsForCreator: z
    .literal(true)
    .optional()
    .describe('Only its author sees it, until the creator or, for `site`, the operator shows it; see `heldFor`'),
  heldFor: z.enum(writerReasons).optional().describe('Why it waits; `all`: like all new comments here'),
  isPinned: z.literal(true).optional().describe('By the creator; first on the first page'),
  isHearted: z.literal(true).optional().describe('The creator likes it'),
  isEdited: z.literal(true).optional().describe('Its author changed the text'),
});
export type Comment = z.infer<typeof Comment>;

export type Thread = Comment & { replies: Comment[] };

export type ThreadPage = Page<Thread> & {
  /** Across all pages, replies included; without comments hidden from the viewer. */
  totalComments: number;
  commentsDisabled: boolean;
  commenters: Commenters;
  /** End of a break, in which only the people of the voice write. */
  pausedUntil: Date | null;
  order: CommentOrder;
};

const firstReplies = 3;

const commentColumns = (viewer: Viewer) => ({
  ...pick(comments, 'id', 'audioId', 'parentId', 'text', 'language', 'createdAt'),
  isShown: isShownTo(viewer),
  user: userColumns,
  isCreator: sql<boolean>`exists (select from voice_owners o join audios a on a.voice_id = o.voice_id
    where a.id = ${comments.audioId} and o.user_id = ${comments.userId})`,
  totalReplies: countVisibleReplies(viewer),
  waitsForCreator: isWaiting(),
  heldFor: sql<WriterReason | null>`case when not ${isWaiting()} then null
    when exists (select from held_comments desk where desk.comment_id = ${comments.id}) then 'site'
    when ${comments.heldFor} in ('word', 'unkind') then 'wording' else coalesce(${comments.heldFor}, 'link') end`,
  isPinned: sql<boolean>`${isNotNull(comments.pinnedAt)}`,
  isHearted: sql<boolean>`${isNotNull(comments.heartedAt)}`,
  isEdited: sql<boolean>`${isNotNull(comments.editedAt)}`,
});

export function selectComments(db: Db, viewer: Viewer) {
  return db.select(commentColumns(viewer)).from(comments).leftJoin(users, eq(users.id, comments.userId)).$dynamic();
}

export function toComment(row: Awaited<ReturnType<typeof selectComments>>[number]): Comment {
  const { isShown: shown, waitsForCreator: waits, heldFor, isPinned, isHearted, isEdited, ...comment } = row;
  if (shown)
    return {
      ...comment,
      state: 'shown',
      ...(waits && { waitsForCreator: true, ...(heldFor && { heldFor }) }),
      ...(isPinned && { isPinned }),
      ...(isHearted && { isHearted }),
      ...(isEdited && { isEdited }),
    };
  return {
    ...comment,
    state: row.text === null ? 'deleted' : 'removed',
    text: null,
    language: null,
    user: null,
    isCreator: false,
  };
}

/** SQL condition on the joined audio: it has a page, and its creator allows comments. */
const hasOpenComments = and(isPublished, eq(audios.commentsDisabled, false));

function selectThreads(db: Db, viewer: Viewer, audioId: string | Placeholder, condition?: SQL) {
  return selectComments(db, viewer).where(and(eq(comments.audioId, audioId), visibleThreads(viewer), condition));
}

const preparedFirst = prepareOnce((db) =>
  selectThreads(db, visitor, sql.placeholder('audioId'))
    .orderBy(desc(comments.id))
    .limit(sql.placeholder('limit'))
    .prepare('first_comments'),
);

function selectPinned(db: Db, viewer: Viewer, audioId: string | Placeholder) {
  return selectComments(db, viewer).where(
    and(eq(comments.audioId, audioId), isNotNull(comments.pinnedAt), isShown(), visibleComments(viewer)),
  );
}

const preparedPinned = prepareOnce((db) =>
  selectPinned(db, visitor, sql.placeholder('audioId')).prepare('pinned_comment'),
);

async function findPinned(db: Db, viewer: Viewer, audioId: string) {
  const [row] = readsAsVisitor(viewer)
    ? await preparedPinned(db).execute({ audioId })
    : await selectPinned(db, viewer, audioId);
  return row;
}

/** Rows of a page under one order, with their places, and some more. */
async function findThreads(
  db: Db,
  viewer: Viewer,
  audioId: string,
  { order, place, limit }: { order: CommentOrder; place: Place | undefined; limit: number },
) {
  if (order === 'answered') {
    const ranked = await findMostAnswered(db, viewer, audioId, { place, limit });
    const rows = await selectComments(db, viewer).where(
      inArray(
        comments.id,
        ranked.map(({ id }) => id),
      ),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ranked.flatMap(({ id, ...rank }) => {
      const row = byId.get(id);
      return row === undefined ? [] : [{ row, ...rank }];
    });
  }
  const { condition, orderBy } = threadsAfter(order, place);
  const rows =
    readsAsVisitor(viewer) && place === undefined && order === 'newest'
      ? await preparedFirst(db).execute({ audioId, limit })
      : await selectThreads(db, viewer, audioId, condition).orderBy(orderBy).limit(limit);
  return rows.map((row) => ({ row, replies: 0, newestId: undefined }));
}

export type CommentQuery = PageQuery & { sort?: CommentOrder | undefined };

/**
 * In the creator's order unless told, with the pinned comment before all on the first page. Empty when the creator turned
 * comments off.
 */
export async function listComments(
  db: Db,
  viewer: Viewer,
  audio: { id: string; commentsDisabled: boolean },
  { cursor, limit, sort }: CommentQuery,
): Promise<ThreadPage> {
  const place = decodePlace(cursor, sort);
  const wanted = place?.order ?? sort;
  if (audio.commentsDisabled)
    return {
      items: [],
      nextCursor: undefined,
      totalComments: 0,
      commentsDisabled: true,
      commenters: 'nobody',
      pausedUntil: null,
      order: wanted ?? 'newest',
    };
  // One more shows whether there is a next page, and one may be the pinned comment.
  const read = (order: CommentOrder) => findThreads(db, viewer, audio.id, { order, place, limit: limit + 2 });
  const [newest, pinned, { order: ofVoice, ...facts }] = await Promise.all([
    read(wanted ?? 'newest'),
    place === undefined ? findPinned(db, viewer, audio.id) : undefined,
    findCommented(db, viewer, audio.id),
  ]);
  const order = wanted ?? ofVoice;
  // Nearly all creators have the newest first, so these reads need not wait for each other.
  const found = order === (wanted ?? 'newest') ? newest : await read(order);
  const pinnedId = place === undefined ? pinned?.id : place.pinnedId;
  const rows = found.filter(({ row }) => row.id !== pinnedId);
  const page = toPage(
    rows,
    limit,
    ({ row }) => toComment(row),
    ({ row, ...rank }) => encodePlace({ order, id: row.id, pinnedId, ...rank }),
  );
  const shown = pinned === undefined ? page.items : [toComment(pinned), ...page.items];
  const answeredIds = shown.filter(({ totalReplies }) => totalReplies > 0).map(({ id }) => id);
  const repliesByThread = await findFirstReplies(db, viewer, answeredIds);
  return {
    // Only the first page says which one is pinned: a later one may have it in its own place.
    items: shown.map(({ isPinned: _isPinned, ...comment }) => ({
      ...comment,
      ...(comment.id === pinned?.id && { isPinned: true }),
      replies: repliesByThread.get(comment.id) ?? [],
    })),
    nextCursor: page.nextCursor,
    commentsDisabled: false,
    order,
    ...facts,
  };
}

/**
 * The thread of a comment or reply on this audio, for links to it. The reply is among its replies, even if it is not one
 * of the first. In every language, as an audio is at its own address.
 * @returns undefined when the viewer may not see the comment
 */
export async function findThread(
  db: Db,
  reader: Viewer,
  audio: { id: string; commentsDisabled: boolean },
  commentId: string,
): Promise<Thread | undefined> {
  const viewer = readsAll(reader);
  if (audio.commentsDisabled || !isId(commentId)) return undefined;
  const [row] = await selectComments(db, viewer).where(
    and(eq(comments.id, commentId), eq(comments.audioId, audio.id), visibleComments(viewer)),
  );
  if (row === undefined) return undefined;
  const { parentId } = row;
  const [threadRow] =
    parentId === null
      ? [row]
      : await selectComments(db, viewer).where(and(eq(comments.id, parentId), visibleThreads(viewer)));
  if (threadRow === undefined) return undefined;
  const thread = toComment(threadRow);
  const replies = (await findFirstReplies(db, viewer, [thread.id])).get(thread.id) ?? [];
  const isAmong = parentId === null || replies.some(({ id }) => id === commentId);
  return { ...thread, replies: isAmong ? replies : [...replies, toComment(row)] };
}

const preparedState = prepareOnce((db) =>
  db
    .select({
      plays: audioCounts.plays,
      totalFavorite: audioCounts.favorites,
      totalComments: audioCounts.comments,
      newestCommentId: sql<string | null>`${sql`(select c.id from ${comments} c
        where c.audio_id = ${audios.id} order by c.id desc limit 1)`}`,
      /** The viewer wrote comments here that the creator hid and only the viewer still sees. */
      hasOwnHidden: sql<boolean>`${sql`exists (select from ${comments} c where c.audio_id = ${audios.id}
        and c.user_id = ${sql.placeholder('userId')} and c.hidden_at is not null)`}`,
    })
    .from(audios)
    .innerJoin(audioCounts, eq(audioCounts.audioId, audios.id))
    .where(and(eq(audios.id, sql.placeholder('audioId')), isPublished))
    .prepare('audio_state'),
);

/** Parts of an audio that change between two visits to its page; always read fresh. @returns undefined for an unpublished audio */
export async function findAudioState(db: Db, viewer: Viewer, audioId: string) {
  const userId = viewer.kind === 'user' ? viewer.id : null;
  const [state] = await preparedState(db).execute({ audioId, userId });
  return state;
}
export type AudioState = NonNullable<Awaited<ReturnType<typeof findAudioState>>>;

/** @returns the first replies of each thread, by the thread's id */
async function findFirstReplies(db: Db, viewer: Viewer, threadIds: string[]): Promise<Map<string, Comment[]>> {
  if (threadIds.length === 0) return new Map();
  const rows = readsAsVisitor(viewer)
    ? await preparedFirstReplies(db).execute({ threadIds })
    : await selectFirstReplies(db, viewer, sql.param(threadIds));
  return Map.groupBy(rows.map(toComment), ({ parentId }) => parentId ?? '');
}

function selectFirstReplies(db: Db, viewer: Viewer, threadIds: Param | Placeholder) {
  const reply = alias(comments, 'reply');
  const firstOfThread = db
    .select({ id: reply.id })
    .from(reply)
    .where(and(sql`${reply.parentId} = thread.id`, visibleComments(viewer, reply)))
    .orderBy(asc(reply.id))
    .limit(firstReplies);
  return selectComments(db, viewer)
    .where(
      sql`${comments.id} in (select first.id from unnest(${threadIds}::uuid[]) as thread (id) cross join lateral ${firstOfThread} as first)`,
    )
    .orderBy(asc(comments.id));
}

const preparedFirstReplies = prepareOnce((db) =>
  selectFirstReplies(db, visitor, sql.placeholder('threadIds')).prepare('first_replies'),
);

function selectCommented(db: Db, viewer: Viewer, audioId: string | Placeholder) {
  return db
    .select({
      totalComments: sql<number>`(${audioCounts.comments} - ${countHiddenComments(viewer, audioId)})::int`,
      commentsForSubscribers: audios.commentsForSubscribers,
      pausedUntil: pausedUntilSql,
      order: voices.commentOrder,
    })
    .from(audioCounts)
    .innerJoin(audios, eq(audios.id, audioCounts.audioId))
    .innerJoin(voices, eq(voices.id, audios.voiceId))
    .where(eq(audioCounts.audioId, audioId));
}

const preparedCommented = prepareOnce((db) =>
  selectCommented(db, visitor, sql.placeholder('audioId')).prepare('commented_audio'),
);

/** Number of comments on all pages for this viewer, if the audio shows comments; and who may write more. */
async function findCommented(db: Db, viewer: Viewer, audioId: string) {
  const [row] = readsAsVisitor(viewer)
    ? await preparedCommented(db).execute({ audioId })
    : await selectCommented(db, viewer, audioId);
  const { totalComments = 0, commentsForSubscribers = false, pausedUntil = null, order = 'newest' } = row ?? {};
  const commenters = commentersOf({ commentsDisabled: false, commentsForSubscribers });
  return { totalComments, commenters, pausedUntil, order };
}

function isHiddenByOwn(viewer: Viewer): SQL | undefined {
  const voiceIds = viewer.kind === 'user' ? Object.keys(viewer.voiceRoles ?? {}) : [];
  if (voiceIds.length === 0) return undefined;
  return and(isKept(), isNotNull(comments.hiddenAt), inArray(audios.voiceId, voiceIds));
}

/** Oldest first; undefined when the comment does not exist for this viewer. */
export async function listReplies(db: Db, viewer: Viewer, commentId: string, query: PageQuery) {
  const page = pageIn('replies', query, { direction: 'asc', id: comments.id });
  if (!isId(commentId)) return undefined;
  const [thread] = await db
    .select({ id: comments.id })
    .from(comments)
    .innerJoin(audios, eq(audios.id, comments.audioId))
    .where(and(eq(comments.id, commentId), answerableThreads(viewer), hasOpenComments));
  if (thread === undefined) return undefined;
  const rows = await selectComments(db, viewer)
    .where(and(eq(comments.parentId, thread.id), visibleComments(viewer), page.after))
    .orderBy(...page.orderBy)
    .limit(page.limit);
  return toPage(rows, query.limit, toComment, ({ id }) => encodeCursor('replies', { value: '', id }));
}

/** Only comments that the viewer can see on the audio's page, and hidden ones under audios of the viewer's voices. */
export async function findComment(db: Db, reader: Viewer, id: string): Promise<Comment | undefined> {
  const viewer = readsAll(reader);
  if (!isId(id)) return undefined;
  const parent = alias(comments, 'parent');
  const [row] = await selectComments(db, viewer)
    .innerJoin(audios, eq(audios.id, comments.audioId))
    .leftJoin(parent, eq(parent.id, comments.parentId))
    .where(
      and(
        eq(comments.id, id),
        or(visibleComments(viewer), isHiddenByOwn(viewer)),
        hasOpenComments,
        // A blocked user's thread is hidden with its replies.
        isNotBlockedBy(viewer, parent.userId),
      ),
    );
  // Hidden ones too, which the viewer may read here.
  return row === undefined ? undefined : toComment({ ...row, isShown: true });
}
