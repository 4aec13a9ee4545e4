import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import type { User } from '../kernel/viewer.ts';
import * as finishing from './finish-uploads.ts';
import type { UploadTools } from './finish-uploads.ts';
import type { UploadEdit, UploadForm } from './forms.ts';
import * as measuring from './measure-recordings.ts';
import * as processing from './process-upload.ts';
import type { SoundTools } from './process-upload.ts';
import * as recordings from './recordings.ts';
import * as locks from './upload-locks.ts';
import * as uploads from './uploads.ts';
import * as voices from './voices.ts';

export function openStudio({ db }: { db: Db }) {
  return {
    listVoices: (actor: Actor) => voices.listManagedVoices(db, actor),
    findVoice: (actor: Actor, idOrSlug: string) => voices.findManagedVoice(db, actor, idOrSlug),
    findRecording: (audioId: string) => recordings.findRecording(db, audioId),
    startUpload: (user: User, form: UploadForm, bytes: number, limits: uploads.UploadLimits) =>
      uploads.startUpload(db, user, form, bytes, limits),
    findReplaced: (user: User, voiceId: string, audioId: string) => uploads.findReplaced(db, user, voiceId, audioId),
    findComingUpload: (user: User, id: string) => uploads.findComingUpload(db, user, id),
    noteReceived: (id: string, received: number) => uploads.noteReceived(db, id, received),
    forgetUpload: (id: string) => uploads.forgetUpload(db, id),
    takeUploadLock: (id: string, options?: locks.UploadLockOptions) => locks.takeUploadLock(db, id, options),
    finishUpload: (id: string, tools: UploadTools) => finishing.finishUpload(db, id, tools),
    finishIdleUploads: (tools: UploadTools, signal?: AbortSignal) => finishing.finishIdleUploads(db, tools, signal),
    purgeUploads: (tools: UploadTools, signal?: AbortSignal) => finishing.purgeUploads(db, tools, signal),
    listUploads: (user: User, voiceId: string, page: { limit: number; cursor?: string | undefined }) =>
      uploads.listUploads(db, user, voiceId, page),
    editUpload: (actor: Actor, id: string, edit: UploadEdit) => uploads.editUpload(db, actor, id, edit),
    retryUpload: (actor: Actor, id: string) => uploads.retryUpload(db, actor, id),
    removeUpload: (actor: Actor, id: string) => uploads.removeUpload(db, actor, id),
    findWaitingUploads: () => processing.findWaitingUploads(db),
    processUpload: (tools: Omit<SoundTools, 'db'>, id: string, signal?: AbortSignal) =>
      processing.processUpload({ db, ...tools }, id, signal),
    measureRecordings: (tools: Omit<SoundTools, 'db'>, signal?: AbortSignal) =>
      measuring.measureRecordings({ db, ...tools }, { signal }),
    countFor: (voiceId: string) => voices.countForStudio(db, voiceId),
  };
}
