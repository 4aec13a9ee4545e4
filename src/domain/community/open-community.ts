import type { Audio } from '../catalogue/audios.ts';
import type { Commenters } from '../catalogue/rules.ts';
import { seesEverything } from '../catalogue/visibility.ts';
import type { Db } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import type { SharedReads } from '../kernel/shared-reads.ts';
import type { User, Viewer } from '../kernel/viewer.ts';
import { visitor } from '../kernel/viewer.ts';
import * as blocks from './blocks.ts';
import * as commenters from './commenters.ts';
import * as comments from './comments.ts';
import { featureSetting } from '../settings/features.ts';
import { limitSetting } from '../settings/limits.ts';
import type { Settings } from '../settings/open-settings.ts';
import type { CommentForm, ReportForm } from './forms.ts';
import type { Actor } from '../kernel/actor.ts';
import * as voiceBlocks from './voice-blocks.ts';
import * as voiceComments from './voice-comments.ts';
import { countVoiceComments } from './voice-comment-counts.ts';
import * as voiceOwners from './voice-owners.ts';
import * as writing from './writing.ts';

type PageQuery = { cursor?: string | undefined; limit: number };

/** @param deps.shared keeps what is the same for all viewers who hide nothing */
export function openCommunity({ db, settings, shared }: { db: Db; settings: Settings; shared: SharedReads }) {
  const areOn = () => settings.read(featureSetting).comments;
  return {
    /** Empty where an operator turned comments off. */
    listComments: (viewer: Viewer, { id, commentsDisabled }: Pick<Audio, 'id' | 'commentsDisabled'>, page: PageQuery) =>
      comments.listComments(db, viewer, { id, commentsDisabled: commentsDisabled || !areOn() }, page),
    findAudioState: (viewer: Viewer, audioId: string) => comments.findAudioState(db, viewer, audioId),
    /**
     * The first page of `listComments`. A new, deleted or hidden comment changes `state`, and so shows at once; without
     * it, within two seconds.
     */
    listFirstComments(
      viewer: Viewer,
      audio: Pick<Audio, 'id' | 'commentsDisabled'>,
      state: Pick<comments.AudioState, 'totalComments' | 'newestCommentId' | 'hasOwnHidden'> | undefined,
      limit: number,
    ) {
      const { id } = audio;
      const read = (reader: Viewer) =>
        comments.listComments(db, reader, { id, commentsDisabled: audio.commentsDisabled || !areOn() }, { limit });
      if (!seesEverything(viewer) || state?.hasOwnHidden) return read(viewer);
      const version = `${state?.totalComments} ${state?.newestCommentId} ${audio.commentsDisabled} ${areOn()}`;
      return shared.read(`comments ${id} ${limit} ${version}`, () => read(visitor));
    },
    findThread: (viewer: Viewer, { id, commentsDisabled }: Pick<Audio, 'id' | 'commentsDisabled'>, commentId: string) =>
      comments.findThread(db, viewer, { id, commentsDisabled: commentsDisabled || !areOn() }, commentId),
    listReplies: (viewer: Viewer, commentId: string, page: PageQuery) =>
      comments.listReplies(db, viewer, commentId, page),
    /** @throws DomainError `site/feature-off` */
    async writeComment(viewer: User, audioIdOrSlug: string, form: CommentForm) {
      if (!areOn()) throw new DomainError('site/feature-off');
      return writing.writeComment(db, viewer, audioIdOrSlug, form, settings.read(limitSetting));
    },
    deleteComment: (viewer: User, id: string) => writing.deleteComment(db, viewer, id),
    reportComment: (viewer: User, id: string, report: ReportForm) =>
      writing.reportComment(db, viewer, id, report, settings.read(limitSetting)),
    canSwitchComments: (viewer: Viewer, audio: Pick<Audio, 'id'>) =>
      voiceOwners.canSwitchComments(db, viewer, audio.id),
    setBlocked: (viewer: User, userId: string, isBlocked: boolean) => blocks.setBlocked(db, viewer, userId, isBlocked),
    hasBlocked: (viewer: Viewer, userId: string) => blocks.hasBlocked(db, viewer, userId),
    listVoiceComments: (actor: Actor, voiceId: string, query: Parameters<typeof voiceComments.listVoiceComments>[3]) =>
      voiceComments.listVoiceComments(db, actor, voiceId, query),
    countVoiceComments: (voiceId: string, q?: string) => countVoiceComments(db, voiceId, q),
    setCommentHidden: (actor: Actor, id: string, isHidden: boolean) =>
      voiceComments.setCommentHidden(db, actor, id, isHidden),
    setVoiceBlock: (actor: Actor, voiceId: string, userId: string, isBlocked: boolean) =>
      voiceBlocks.setVoiceBlock(db, actor, voiceId, userId, isBlocked),
    listVoiceBlocks: (actor: Actor, voiceId: string, page: PageQuery) =>
      voiceBlocks.listVoiceBlocks(db, actor, voiceId, page),
    findVoiceCommenters: (voiceId: string) => commenters.findVoiceCommenters(db, voiceId),
    setVoiceCommenters: (actor: Actor, voiceId: string, choice: Commenters) =>
      commenters.setVoiceCommenters(db, actor, voiceId, choice),
    setHoldsLinks: (actor: Actor, voiceId: string, holdsLinks: boolean) =>
      commenters.setHoldsLinks(db, actor, voiceId, holdsLinks),
    countVoiceBlocks: (voiceId: string) => voiceBlocks.countVoiceBlocks(db, voiceId),
    listBlockedUsers: (userId: string, page: PageQuery) => blocks.listBlockedUsers(db, userId, page),
  };
}
