import { browserLimits } from '#player/browser-limits.ts';
import { ANSWER_LIMIT_MS } from '#player/recovery/failure.ts';
import { STALLED_AFTER_MS } from '#player/recovery/stall-watch.ts';

type Limit = keyof typeof browserLimits | 'stall' | 'answer';

/**
 * All calls of the browser by their limit, each with the files that make it; docs/time-limits.md lists them, and each
 * has a test whose peer is silent.
 */
export const browserCalls = {
  call: {
    ms: browserLimits.call,
    calls: {
      'a call of the API': ['src/web/api.ts', 'src/web/transport.ts'],
      'a call of the built-in identity provider': ['src/web/identity/identity-call.ts'],
      'a call of Firebase': ['src/web/identity/firebase-provider.ts'],
      'what Firebase loads before its window': ['src/web/identity/firebase-provider.ts'],
      'the data of a page': ['src/web/shell/request-init.ts'],
      'code that loads late': ['src/web/load-chunk.ts'],
      'a new endpoint of the push service': ['src/service-worker/push.ts'],
      'a play in a frame of another site': ['src/embed/count-play.ts'],
    },
    note: '; 1 s more for each 20 KB sent',
    outcome:
      'counts as no connection: a notice, or the form keeps what was typed; reports of listening, the queue and events wait and are repeated; a page stays on screen',
  },
  file: {
    ms: browserLimits.file,
    calls: {
      'an export': ['src/web/identity/account/account-data.tsx'],
      'an invoice': ['src/web/membership/invoices/invoice-download.tsx'],
      figures: ['src/web/studio/figures/figures-download.tsx'],
      'changes of all audios of a creator, category or tag': ['src/web/api.ts'],
    },
    outcome: 'a notice',
  },
  logOut: {
    ms: browserLimits.logOut,
    calls: { 'a log-out': ['src/web/identity/session-calls.ts'] },
    outcome: 'this device is logged out, and its next page load ends the session',
  },
  storedPage: {
    ms: browserLimits.storedPage,
    calls: { 'a page or an audio’s data, while downloads have a stored one': ['src/service-worker/forward.ts'] },
    outcome: 'the stored page',
  },
  document: {
    ms: browserLimits.document,
    calls: {
      'a page without a stored one': ['src/service-worker/forward.ts'],
      'a page that is being stored': ['src/service-worker/stored-page.ts'],
    },
    outcome: 'the offline page, or the page stored before',
  },
  asset: {
    ms: browserLimits.asset,
    calls: {
      'built files': ['src/service-worker/built-files.ts', 'src/web/shell/preload-pages.ts'],
      'a cover': ['src/offline/download-file.ts', 'src/web/studio/picture-field.tsx'],
      'the beginning of a sound': ['src/player/media/warm-up.ts'],
      'what suggestions are put together from': ['src/suggestions/site-files.ts'],
      'the payment script': ['src/web/membership/stripe.ts'],
      'turning push on': ['src/web/notifications/push-browser.ts'],
    },
    outcome: 'tried again at the next use',
  },
  silence: {
    ms: browserLimits.silence,
    calls: {
      'silence within a download': ['src/offline/download-file.ts', 'src/offline/downloads.ts'],
      'silence within a file that is loaded whole': ['src/player/media/whole-file.ts'],
    },
    outcome: 'the download is repeated from there, the file is loaded again',
  },
  upload: {
    ms: browserLimits.upload,
    calls: { 'silence within an upload': ['src/web/studio/uploads/upload-manager.ts'] },
    outcome: 'the upload is repeated from there',
  },
  stall: {
    ms: STALLED_AFTER_MS,
    calls: { 'sound: no byte while it should play': [] },
    outcome: '“Reconnecting”, the file is loaded again, or its copy on the device plays',
  },
  answer: {
    ms: ANSWER_LIMIT_MS,
    calls: { 'sound: the site’s answer why a file does not play': ['src/player/recovery/recovery.ts'] },
    outcome: 'counts as no connection',
  },
} satisfies Record<Limit, { ms: number; calls: Record<string, string[]>; note?: string; outcome: string }>;

type Calls = typeof browserCalls;
export type BrowserCall = { [Of in keyof Calls]: keyof Calls[Of]['calls'] }[keyof Calls] & string;

/** For the title of the test in which nothing answers this call (test/house/time-limits.test.ts looks for one of each). */
export function silent(call: BrowserCall): string {
  return `${call}, from a peer that accepts and is silent,`;
}
