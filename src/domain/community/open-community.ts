import type { Audio } from '../catalogue/audios.ts';
import { seesEverything } from '../catalogue/visibility.ts';
import { bind } from '../kernel/bind.ts';
import type { Db } from '../kernel/db.ts';
import { DomainError } from '../kernel/errors.ts';
import type { SharedReads } from '../kernel/shared-reads.ts';
import { type User, type Viewer, visitor } from '../kernel/viewer.ts';
import * as blocks from './blocks.ts';
import * as commentMarks from './comment-marks.ts';
import * as commentSettings from './comment-settings.ts';
import * as comments from './comments.ts';
import * as heldComments from './held-comments.ts';
import { featureSetting } from '../settings/features.ts';
import { limitSetting } from '../settings/limits.ts';
import type { Settings } from '../settings/open-settings.ts';
import type { ReportForm } from './forms.ts';
import * as voiceBlocks from './voice-blocks.ts';
import { listVoiceComments, setCommentHidden } from './voice-comments.ts';
import { countVoiceComments } from './voice-comment-counts.ts';
import { canSwitchComments } from './voice-owners.ts';
import * as writing from './writing.ts';

/** @param deps.shared keeps what is the same for all viewers who hide nothing */
export function openCommunity({ db, settings, shared }: { db: Db; settings: Settings; shared: SharedReads }) {
  const areOn = () => settings.read(featureSetting).comments;
  return {
    ...bind(db, {
      ...blocks,
      ...commentMarks,
      ...commentSettings,
      ...heldComments,
      canSwitchComments,
      countVoiceBlocks: voiceBlocks.countVoiceBlocks,
      countVoiceComments,
      deleteComment: writing.deleteComment,
      findAudioState: comments.findAudioState,
      listReplies: comments.listReplies,
      listVoiceBlocks: voiceBlocks.listVoiceBlocks,
      listVoiceComments,
      setCommentHidden,
      setVoiceBlock: voiceBlocks.setVoiceBlock,
    }),
    /** Empty where an operator turned comments off. */
    listComments: (
      viewer: Viewer,
      { id, commentsDisabled }: Pick<Audio, 'id' | 'commentsDisabled'>,
      page: comments.CommentQuery,
    ) => comments.listComments(db, viewer, { id, commentsDisabled: commentsDisabled || !areOn() }, page),
    /**
     * The first page of `listComments`. A new, deleted or hidden comment changes `state`, and so shows at once; without
     * it, within two seconds.
     */
    listFirstComments(
      viewer: Viewer,
      audio: Pick<Audio, 'id' | 'commentsDisabled'>,
      state: Pick<comments.AudioState, 'totalComments' | 'newestCommentId' | 'hasOwnHidden'> | undefined,
      { limit, sort }: Pick<comments.CommentQuery, 'limit' | 'sort'>,
    ) {
      const { id } = audio;
      const commentsDisabled = audio.commentsDisabled || !areOn();
      const read = (reader: Viewer) => comments.listComments(db, reader, { id, commentsDisabled }, { limit, sort });
      // The people of a voice see at once what they pin and like.
      const isOfVoice = viewer.kind === 'user' && viewer.voiceRoles !== undefined;
      if (!seesEverything(viewer) || isOfVoice || state?.hasOwnHidden) return read(viewer);
      const version = `${sort} ${state?.totalComments} ${state?.newestCommentId} ${audio.commentsDisabled} ${areOn()}`;
      return shared.read(`comments ${id} ${limit} ${version}`, () => read(visitor));
    },
    findThread: (viewer: Viewer, { id, commentsDisabled }: Pick<Audio, 'id' | 'commentsDisabled'>, commentId: string) =>
      comments.findThread(db, viewer, { id, commentsDisabled: commentsDisabled || !areOn() }, commentId),
    /** @throws DomainError `site/feature-off` */
    async writeComment(viewer: User, audioIdOrSlug: string, form: Parameters<typeof writing.writeComment>[3]) {
      if (!areOn()) throw new DomainError('site/feature-off');
      return writing.writeComment(db, viewer, audioIdOrSlug, form, settings.read(limitSetting));
    },
    /** @throws DomainError `site/feature-off` */
    async editComment(viewer: User, id: string, form: Parameters<typeof writing.editComment>[3]) {
      if (!areOn()) throw new DomainError('site/feature-off');
      return writing.editComment(db, viewer, id, form);
    },
    reportComment: (viewer: User, id: string, report: ReportForm) =>
      writing.reportComment(db, viewer, id, report, settings.read(limitSetting)),
  };
}
