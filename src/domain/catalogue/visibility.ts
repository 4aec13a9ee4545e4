import { type AnyColumn, type SQL, and, sql } from 'drizzle-orm';
import { noWords } from '#formats/content-languages.ts';
import type { User, Viewer } from '../kernel/viewer.ts';
import { audios } from './tables.ts';

/** This viewer hides nothing: their lists equal those of visitors without a choice, and share their cache. */
export function seesEverything(viewer: Viewer): boolean {
  return !choosesLanguages(viewer) && viewer.readsOnly === undefined && !mayHide(viewer);
}

/** This viewer hides something, or may do so. */
export function mayHide(viewer: Viewer): viewer is User {
  return viewer.kind === 'user' && viewer.hidesNothing !== true;
}

/** Lists of this viewer leave out audios in other languages. */
export function choosesLanguages(
  viewer: Viewer | undefined,
): viewer is Viewer & { readonly listensTo: readonly string[] } {
  return Array.isArray(viewer?.listensTo);
}

/** Primary subtags of the audios that lists show; undefined for all. */
export function shownLanguages(viewer: Viewer): string[] | undefined {
  return choosesLanguages(viewer) ? [...viewer.listensTo, noWords] : undefined;
}

/** Regular expression of the tags that a listener of these languages is shown. @param languages primary subtags */
export const tagPattern = (languages: readonly string[]) => `^(${languages.join('|')})(-|$)`;

/** SQL condition: the viewer listens to this language. Undefined for those who have not chosen any. */
export function isListenedTo(viewer: Viewer, language: AnyColumn | SQL): SQL | undefined {
  const languages = shownLanguages(viewer);
  return languages && sql`${language} ~ ${tagPattern(languages)}`;
}

/** SQL condition: the audio is in a language that the viewer listens to. Undefined for those who have not chosen any. */
export function isInListenedLanguage(viewer: Viewer, audioId: AnyColumn | SQL): SQL | undefined {
  if (audioId === audios.id) return isListenedTo(viewer, audios.language);
  const isListened = isListenedTo(viewer, sql`spoken.language`);
  return isListened && sql`exists (select from audios spoken where spoken.id = ${audioId} and ${isListened})`;
}

/**
 * SQL condition: the user of that row listens to the language of that audio; the same for many users at once.
 * @param preferences column of `users` @param language column of `audios`
 */
export function listensToSql(preferences: SQL, language: SQL): SQL {
  const chosen = sql`${preferences} -> 'listensTo'`;
  const primary = sql`split_part(${language}, '-', 1)`;
  return sql`(jsonb_typeof(${chosen}) is distinct from 'array' or ${chosen} ? ${primary} or ${primary} = ${noWords})`;
}

/**
 * SQL condition: lists that the viewer did not make show the audio, because it is in a language that they listen to, and
 * they hide nothing of it. Undefined for viewers who see everything.
 */
export function isNotHidden(viewer: Viewer, audioId: AnyColumn | SQL): SQL | undefined {
  return and(isWanted(viewer, audioId), isInListenedLanguage(viewer, audioId));
}

/**
 * SQL condition: this user hides neither the audio, nor its creator, nor one of its tags. Undefined for users who hide
 * nothing.
 */
export function isWanted(viewer: Viewer, audioId: AnyColumn | SQL): SQL | undefined {
  return mayHide(viewer) ? isWantedSql(sql`${viewer.id}`, audioId) : undefined;
}

/** The same for the user of each row. */
export function isWantedSql(userId: AnyColumn | SQL, audioId: AnyColumn | SQL): SQL {
  const isOfHidden =
    audioId === audios.id
      ? isVoiceHiddenSql(userId, audios.voiceId)
      : sql`exists (select from hidden_voices silent join audios made on made.voice_id = silent.voice_id
          where silent.user_id = ${userId} and made.id = ${audioId})`;
  return sql`(not exists (select from hidden_audios unwanted where unwanted.user_id = ${userId} and unwanted.audio_id = ${audioId})
    and not ${isOfHidden}
    and not exists (select from hidden_tags hidden join audio_tags tagged on tagged.tag_id = hidden.tag_id
      where hidden.user_id = ${userId} and tagged.audio_id = ${audioId}))`;
}

function isVoiceHiddenSql(userId: AnyColumn | SQL, voiceId: AnyColumn | SQL): SQL {
  return sql`exists (select from hidden_voices silent where silent.user_id = ${userId} and silent.voice_id = ${voiceId})`;
}

/** SQL condition: this user does not hide the creator of that row; also true for rows without one. */
export function isVoiceNotHidden(viewer: Viewer, voiceId: AnyColumn | SQL): SQL | undefined {
  return mayHide(viewer) ? sql`not ${isVoiceHiddenSql(sql`${viewer.id}`, voiceId)}` : undefined;
}

/** SQL condition: this user does not hide the tag of that row. */
export function isTagNotHidden(viewer: Viewer, tagId: AnyColumn): SQL | undefined {
  if (!mayHide(viewer)) return undefined;
  return sql`not exists (select from hidden_tags hidden where hidden.user_id = ${viewer.id} and hidden.tag_id = ${tagId})`;
}

/**
 * SQL condition: the viewer has not blocked the user of that row. For every query of user content: playlists, comments,
 * profiles. Undefined for viewers who block nobody.
 */
export function isNotBlockedBy(viewer: Viewer, userId: AnyColumn | SQL): SQL | undefined {
  if (!mayHide(viewer)) return undefined;
  return sql`not exists (select from user_blocks block where block.user_id = ${viewer.id} and block.blocked_id = ${userId})`;
}

const hidingTables = ['hidden_tags', 'hidden_audios', 'hidden_voices', 'user_blocks'];

/** SQL column: the user of that row neither hides anything nor blocks users. */
export function hidesNothingSql(userId: AnyColumn): SQL<boolean> {
  const conditions = hidingTables.map(
    (table) => sql`not exists (select from ${sql.identifier(table)} own where own.user_id = ${userId})`,
  );
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}
