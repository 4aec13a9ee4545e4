import type { Language } from '#formats/languages.ts';
import type { Actor } from '../kernel/actor.ts';
import type { User, Viewer } from '../kernel/viewer.ts';
import { listAgainst } from './against.ts';
import { answerQuestion, appeal } from './answers.ts';
import { openCase } from './cases.ts';
import { doDueNotices } from './due-work.ts';
import type { ReportContent } from './forms.ts';
import { findOwnReport } from './earlier.ts';
import { giveNotice } from './give.ts';
import type { NoticeParts } from './parts.ts';
import { findNoticeState } from './state.ts';
import { forgetReporters } from './retention.ts';
import { type Subject, findSubject } from './subjects.ts';

/** Reports by anybody, and their private pages. The desk decides (`admin/desk`). */
export function openNotices(parts: NoticeParts) {
  return {
    findSubject: (about: string) => findSubject(parts.db, parts.site.url, about),
    giveNotice: (viewer: Viewer, form: ReportContent, language: Language, address?: string) =>
      giveNotice(parts, viewer, form, language, address),
    findOwnReport: (viewer: User, about: Subject | string) => findOwnReport(parts, viewer, about),
    listAgainst: (actor: Actor, audioId: string) => listAgainst(parts, actor, audioId),
    findNoticeState: (token: string) => findNoticeState(parts, token),
    appeal: (token: string, reasons: string) => appeal(parts, token, reasons),
    answerQuestion: (token: string, answer: string) => answerQuestion(parts, token, answer),
    openCase: (tx: NoticeParts['db'], given: Parameters<typeof openCase>[2]) => openCase(tx, parts, given),
    forgetReporters: (signal?: AbortSignal) => forgetReporters(parts.db, signal),
    doDueNotices: (signal?: AbortSignal) => doDueNotices(parts, signal),
  };
}
