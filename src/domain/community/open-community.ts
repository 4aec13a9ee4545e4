import type { Audio } from '../catalogue/audios.ts';
import type { Db } from '../kernel/db.ts';
import type { User, Viewer } from '../kernel/viewer.ts';
import * as blocks from './blocks.ts';
import * as comments from './comments.ts';
import type { CommentForm, ReportForm } from './forms.ts';
import * as voiceOwners from './voice-owners.ts';
import * as writing from './writing.ts';

type PageQuery = { cursor?: string | undefined; limit: number };

export function openCommunity({ db }: { db: Db }) {
  return {
    listComments: (viewer: Viewer, audio: Pick<Audio, 'id' | 'commentsDisabled'>, page: PageQuery) =>
      comments.listComments(db, viewer, audio, page),
    listReplies: (viewer: Viewer, commentId: string, page: PageQuery) =>
      comments.listReplies(db, viewer, commentId, page),
    writeComment: (viewer: User, audioIdOrSlug: string, form: CommentForm) =>
      writing.writeComment(db, viewer, audioIdOrSlug, form),
    deleteComment: (viewer: User, id: string) => writing.deleteComment(db, viewer, id),
    reportComment: (viewer: User, id: string, report: ReportForm) => writing.reportComment(db, viewer, id, report),
    canSwitchComments: (viewer: Viewer, audio: Pick<Audio, 'id'>) =>
      voiceOwners.canSwitchComments(db, viewer, audio.id),
    switchComments: (viewer: Viewer, audioId: string, commentsDisabled: boolean) =>
      voiceOwners.switchComments(db, viewer, audioId, commentsDisabled),
    setBlocked: (viewer: User, userId: string, isBlocked: boolean) => blocks.setBlocked(db, viewer, userId, isBlocked),
    hasBlocked: (viewer: Viewer, userId: string) => blocks.hasBlocked(db, viewer, userId),
    listBlockedUsers: (userId: string, page: PageQuery) => blocks.listBlockedUsers(db, userId, page),
  };
}
