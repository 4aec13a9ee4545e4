import { eq } from 'drizzle-orm';
import * as deletion from '../../catalogue/editing/deletion.ts';
import type { AudioState, PublishingResult } from '../../catalogue/editing/publishing.ts';
import * as catalogue from '../../catalogue/editing/publishing.ts';
import type { Commenters, SyntheticVoice } from '../../catalogue/rules.ts';
import { audios } from '../../catalogue/tables.ts';
import { canSwitchComments } from '../../community/voice-owners.ts';
import { type Actor, userIdOf } from '../../kernel/actor.ts';
import { recordChange } from '../../kernel/audit.ts';
import type { Db } from '../../kernel/db.ts';
import { roleIn } from '../../kernel/rules.ts';
import type { Viewer } from '../../kernel/viewer.ts';
import { type HeldAudio, dropFromDraft, holdAudio, noteChanges, recordOnAudio } from './hold-audio.ts';
import type { BulkAct, EditedField } from '../rules.ts';

/** The catalogue's acts on one audio, with the right to do them and an entry in the log (architecture, rule 17). */

type Done = Extract<PublishingResult, { ok: true }>;
type NotDone =
  | { ok: false; reason: 'not-found' | 'not-published' | 'is-preview' | 'owners-only' }
  | catalogue.MistimedTranscript
  | catalogue.IncompleteChain
  | catalogue.MissingFacet;
export type ManagedResult = Done | NotDone;

type Act = {
  action: `audio.${string}`;
  /** Fields that the log shows before and after. */
  shows: (keyof AudioState)[];
  /** Editor fields that the act changes for listeners. */
  edits?: EditedField[];
  /** Not allowed for editors. */
  isOwnersOnly?: boolean;
  /** Not allowed for owners and editors. */
  isAdminsOnly?: boolean;
  evenDeleted?: boolean;
  /** Listeners may see the audio afterwards, if its voice is not hidden meanwhile. */
  publishes?: boolean;
  /** With the state before; runs in the transaction of the log entry. */
  run: (tx: Db, audio: HeldAudio) => Promise<PublishingResult>;
};

async function act(db: Db, actor: Actor, idOrSlug: string, one: Act): Promise<ManagedResult> {
  return db.transaction(async (tx) => {
    const audio = await holdAudio(tx, actor, idOrSlug, {
      evenDeleted: one.evenDeleted === true,
      withVoice: one.publishes === true,
    });
    if (audio === undefined) return { ok: false, reason: 'not-found' };
    const isAdmin = actor.kind === 'operator' || actor.isAdmin === true;
    if (one.isAdminsOnly === true && !isAdmin) return { ok: false, reason: 'not-found' };
    if (one.isOwnersOnly === true && audio.role === 'editor') return { ok: false, reason: 'owners-only' };
    const before = await catalogue.findAudioState(tx, audio.id, { evenDeleted: true });
    const result = await one.run(tx, audio);
    if (!result.ok || !result.changed) return result;
    const shown = (state: AudioState | undefined) =>
      Object.fromEntries(one.shows.map((name) => [name, state?.[name] ?? null]));
    await recordOnAudio(tx, actor, audio, one.action, { before: shown(before), after: shown(result.audio) });
    if (one.edits !== undefined) {
      await dropFromDraft(tx, audio.id, one.edits);
      await noteChanges(tx, actor, audio.id, one.edits);
    }
    return result;
  });
}

/** @param at publication time; without it now. An audio that is or was published keeps its first date. */
export function publishAudio(db: Db, actor: Actor, idOrSlug: string, at?: Date): Promise<ManagedResult> {
  return act(db, actor, idOrSlug, {
    action: at !== undefined && at > new Date() ? 'audio.schedule' : 'audio.publish',
    shows: ['state', 'publishedAt', 'review'],
    publishes: true,
    run: (tx, audio) => catalogue.publishAudio(tx, audio.id, at, { by: userIdOf(actor) }),
  });
}

export function unpublishAudio(
  db: Db,
  actor: Actor,
  idOrSlug: string,
  options: { evenPreview?: boolean } = {},
): Promise<ManagedResult> {
  return act(db, actor, idOrSlug, {
    action: 'audio.unpublish',
    shows: ['state', 'publishedAt'],
    run: (tx, audio) => catalogue.unpublishAudio(tx, audio.id, options),
  });
}

export function setAudioFree(db: Db, actor: Actor, idOrSlug: string, isFree: boolean): Promise<ManagedResult> {
  return act(db, actor, idOrSlug, {
    action: isFree ? 'audio.free' : 'audio.restrict',
    shows: ['isFree'],
    edits: ['isFree'],
    run: (tx, audio) => catalogue.setAudioFree(tx, audio.id, isFree),
  });
}

function setAudioLanguage(db: Db, actor: Actor, idOrSlug: string, language: string): Promise<ManagedResult> {
  return act(db, actor, idOrSlug, {
    action: 'audio.set-language',
    shows: ['language'],
    edits: ['language'],
    run: (tx, audio) => catalogue.setAudioLanguage(tx, audio.id, language),
  });
}

function setSyntheticVoice(db: Db, actor: Actor, idOrSlug: string, value: SyntheticVoice): Promise<ManagedResult> {
  return act(db, actor, idOrSlug, {
    action: 'audio.set-synthetic-voice',
    shows: ['syntheticVoice'],
    edits: ['syntheticVoice'],
    run: (tx, audio) => catalogue.setSyntheticVoice(tx, audio.id, value),
  });
}

export function setCommenters(db: Db, actor: Actor, idOrSlug: string, commenters: Commenters): Promise<ManagedResult> {
  return act(db, actor, idOrSlug, {
    action: 'audio.choose-commenters',
    shows: ['commenters'],
    edits: ['commenters'],
    run: (tx, audio) => catalogue.setCommenters(tx, audio.id, commenters),
  });
}

/**
 * Turns comments off or on, on the audio's page; the draft forgets its own choice, which would undo that.
 * @returns false when the viewer does not own the voice, or the audio does not exist
 */
export async function switchComments(
  db: Db,
  viewer: Viewer,
  audioId: string,
  commentsDisabled: boolean,
): Promise<boolean> {
  if (viewer.kind !== 'user' || !(await canSwitchComments(db, viewer, audioId))) return false;
  return db.transaction(async (tx) => {
    const result = await catalogue.setCommentsDisabled(tx, audioId, commentsDisabled);
    if (!result.ok || !result.changed) return result.ok;
    await dropFromDraft(tx, audioId, ['commenters']);
    await noteChanges(tx, viewer, audioId, ['commenters']);
    const [row] = await tx.select({ voiceId: audios.voiceId }).from(audios).where(eq(audios.id, audioId));
    const role = row && roleIn(viewer, row.voiceId);
    if (role !== undefined)
      await recordChange(tx, {
        actor: viewer,
        role,
        action: commentsDisabled ? 'audio.close-comments' : 'audio.open-comments',
        subject: { type: 'audio', id: audioId, name: result.audio.title },
        voiceId: row?.voiceId,
        before: { commentsDisabled: !commentsDisabled },
        after: { commentsDisabled },
      });
    return true;
  });
}

/**
 * Chooses the preview, which visitors may hear. For admins and the command line.
 * @param revision of the choice that the operator saw; absent: not checked
 */
export function chooseSitePreview(db: Db, actor: Actor, idOrSlug: string, revision?: number): Promise<ManagedResult> {
  return act(db, actor, idOrSlug, {
    action: 'audio.choose-preview',
    shows: ['isPreview'],
    isAdminsOnly: true,
    run: (tx, audio) => catalogue.choosePreview(tx, audio.id, { actor, revision }),
  });
}

/** Hides the audio from everybody; `restoreAudio` restores it within 30 days. Not for editors. */
export function deleteAudio(
  db: Db,
  actor: Actor,
  idOrSlug: string,
  options: { evenPreview?: boolean } = {},
): Promise<ManagedResult> {
  return act(db, actor, idOrSlug, {
    action: 'audio.delete',
    shows: ['state', 'publishedAt'],
    isOwnersOnly: true,
    evenDeleted: true,
    run: (tx, audio) => deletion.deleteAudio(tx, audio.id, options),
  });
}

export function restoreAudio(db: Db, actor: Actor, idOrSlug: string): Promise<ManagedResult> {
  return act(db, actor, idOrSlug, {
    action: 'audio.restore',
    shows: ['state', 'publishedAt'],
    isOwnersOnly: true,
    evenDeleted: true,
    publishes: true,
    run: (tx, audio) => deletion.restoreAudio(tx, audio.id, { by: userIdOf(actor) }),
  });
}

/** For the acts that set one of them. */
type BulkTarget = { language?: string | undefined; syntheticVoice?: SyntheticVoice | undefined };

/** Acts on one audio, alone or among many. Each checks the right of its actor. */
const actsByName: Record<BulkAct, (db: Db, actor: Actor, id: string, to: BulkTarget) => Promise<ManagedResult>> = {
  publish: (db, actor, id) => publishAudio(db, actor, id),
  unpublish: (db, actor, id) => unpublishAudio(db, actor, id),
  free: (db, actor, id) => setAudioFree(db, actor, id, true),
  subscribers: (db, actor, id) => setAudioFree(db, actor, id, false),
  'set-language': async (db, actor, id, { language }) => {
    if (language === undefined) throw new Error('This act needs a language');
    return setAudioLanguage(db, actor, id, language);
  },
  'set-synthetic-voice': async (db, actor, id, { syntheticVoice }) => {
    if (syntheticVoice === undefined) throw new Error('This act needs a synthetic voice');
    return setSyntheticVoice(db, actor, id, syntheticVoice);
  },
  delete: (db, actor, id) => deleteAudio(db, actor, id),
  restore: restoreAudio,
};

export function actOnAudio(
  db: Db,
  actor: Actor,
  id: string,
  { act: name, ...to }: { act: BulkAct } & BulkTarget,
): Promise<ManagedResult> {
  return actsByName[name](db, actor, id, to);
}

/** It waits for a review by this act. */
export function wasSent(result: ManagedResult, act: BulkAct): boolean {
  return result.ok && result.changed && (act === 'publish' || act === 'restore') && result.audio.review === 'waiting';
}

export type BulkOutcome = {
  /** Changed ones; the others were in that state already. */
  changed: string[];
  /** Changed ones that wait for a review now. */
  sentForReview: string[];
  unchanged: string[];
  /** Ids that the actor may not change are reported as `not-found`, without a title. */
  refused: { id: string; title: string | null; reason: NotDone['reason'] }[];
};

/** The same act on several audios; a refusal does not affect the others. */
export async function actOnAudios(
  db: Db,
  actor: Actor,
  ids: string[],
  one: { act: BulkAct } & BulkTarget,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { changed: [], sentForReview: [], unchanged: [], refused: [] };
  for (const id of new Set(ids)) {
    const result = await actOnAudio(db, actor, id, one);
    if (result.ok) {
      outcome[result.changed ? 'changed' : 'unchanged'].push(id);
      if (wasSent(result, one.act)) outcome.sentForReview.push(id);
    } else {
      const state =
        result.reason === 'not-found' ? undefined : await catalogue.findAudioState(db, id, { evenDeleted: true });
      outcome.refused.push({ id, title: state?.title ?? null, reason: result.reason });
    }
  }
  return outcome;
}
