import type { ContentSource } from '#domain/analytics/forms.ts';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { createHistory, Positions } from '#player/reports/history.ts';
import type { HistoryCall, HistoryServer } from '#player/reports/outbox.ts';
import type { PutOutcome, QueueServer, RemoteQueue, SavedQueue } from '#player/queue/saved-queue.ts';
import { isRecord } from '#player/stored.ts';
import { type Answer, answerOf, api, isSiteRefusal, onApiAnswer } from '#web/api.ts';
import { trackOf } from './track-of.ts';

/** The player’s calls to the API, over the typed client. The player decides when to make them. */

/** Browsers limit the bodies of keepalive requests to 64 KB; encryption by v2 makes 45 KB about 60 KB. */
const keepaliveBytes = 45_000;

type QueueResponse = { version: number; queue: SavedQueue; audios: AudioItem[]; dropped: number };

/** @param know receives the audios that a queue response contains */
export function queueServer(cacheAudios: (audios: readonly AudioItem[]) => void): QueueServer {
  function toRemote({ version, queue, audios, dropped }: QueueResponse): RemoteQueue {
    cacheAudios(audios);
    // All tracks get the source `queue`; the queue’s items hold their original source.
    return { version, queue, tracks: audios.map((audio) => trackOf(audio, 'queue')), dropped };
  }

  return {
    async get() {
      const answer = await answerOf(api.user.queue.$get());
      if (!answer.ok) throw new Error(answer.code);
      return toRemote(answer.data);
    },

    async put(queue, ifMatch, isLeaving): Promise<PutOutcome> {
      const keepalive = isLeaving && JSON.stringify(queue).length < keepaliveBytes;
      const response = await api.user.queue.$put(
        { json: queue },
        { headers: { 'if-match': `"${ifMatch}"` }, init: { keepalive } },
      );
      if (response.ok) return { ok: true, version: (await response.json()).version };
      if ((response.status as number) === 412) {
        const { newest } = (await response.json()) as unknown as { newest: QueueResponse };
        return { ok: false, reason: 'newer', newest: toRemote(newest) };
      }
      const answer = await answerOf(Promise.resolve(response));
      if (!answer.ok && isRefused(answer)) return { ok: false, reason: 'refused' };
      throw new Error(`The queue was answered with ${response.status}`);
    },
  };
}

/** Public numbers and tags of the audios that were played on this page, by id. */
export const played = new Map<string, { number: number | null; tags: string[] }>();

export const historyServer: HistoryServer = {
  async send(call, notedAt) {
    const answer = await sendHistory(call, notedAt);
    if (answer.ok) return isRecord(answer.data) && answer.data['takenOver'] === true ? 'taken-over' : 'done';
    if (isRefused(answer)) return 'refused';
    throw new Error(answer.code);
  },
  onAnswer: onApiAnswer,
};

function sendHistory(call: HistoryCall, notedAt: number): Promise<Answer<unknown>> {
  // The page may close at any time.
  const leaving = { init: { keepalive: true } };
  const times = { notedAt: new Date(notedAt).toISOString(), sentAt: new Date().toISOString() };
  switch (call.call) {
    case 'play':
      return answerOf(
        api.audios.play[':id'].$get(
          { param: { id: call.audioId }, query: { source: call.source as ContentSource, ...times } },
          leaving,
        ),
      ).then((answer) => {
        if (answer.ok) played.set(call.audioId, answer.data);
        return answer;
      });
    case 'count': {
      const { type, key, value, position, reportId } = call;
      return answerOf(
        api.history.me['increase-counter'].$post({ json: { type, key, value, position, reportId } }, leaving),
      );
    }
    case 'set-place':
      return answerOf(
        api.history.me.value.$post(
          {
            json: {
              type: 'currentlyListening',
              id: call.audioId,
              seconds: call.seconds,
              isPlaying: call.isPlaying,
              ...times,
            },
          },
          leaving,
        ),
      );
    case 'delete-place':
      return answerOf(
        api.history.me.value.$delete({ json: { type: 'currentlyListening', id: call.audioId, ...times } }, leaving),
      );
  }
}

/**
 * Positions of the account and, where they are newer, of this device; and another device of the listener that plays now,
 * with the seconds since its last report.
 * @returns undefined when the call failed
 */
export async function loadResumePositions(history: Pick<ReturnType<typeof createHistory>, 'readAfterPending'>) {
  const { read: answer, newer } = await history.readAfterPending(() => answerOf(api.history.me.$get()));
  if (!answer.ok) return undefined;
  const { currentlyListening, completed, playingElsewhere } = answer.data;
  return {
    ...withNewer({ positions: currentlyListening, completed }, newer),
    playingElsewhere: playingElsewhere ?? undefined,
  };
}

type AccountPositions = {
  /** Saved seconds by audio id. */
  positions: Record<string, number>;
  /** Ids of audios heard to the end. */
  completed: readonly string[];
};

/** The account’s positions with those of this device that it may not have received yet. */
export function withNewer({ positions, completed }: AccountPositions, newer: Positions) {
  const all = new Map<string, number | undefined>([...Object.entries(positions), ...newer]);
  const inProgress = [...all].filter((entry): entry is [string, number] => entry[1] !== undefined);
  const ended = [...newer.keys()].filter((audioId) => all.get(audioId) === undefined);
  return { positions: Object.fromEntries(inProgress), completed: [...completed, ...ended] };
}

/** Takes over playback from another device. @returns undefined when nothing plays there, or the call failed */
export async function takeOverPlaying(): Promise<{ audioId: string; seconds: number } | undefined> {
  const answer = await answerOf(api.history.me['play-here'].$post());
  return answer.ok ? (answer.data.playing ?? undefined) : undefined;
}

export async function findSimilar(audioId: string): Promise<AudioItem[]> {
  const answer = await answerOf(api.audios[':id'].similar.$get({ param: { id: audioId }, query: { limit: '20' } }));
  if (!answer.ok) throw new Error(answer.code);
  return answer.data.items;
}

/** Exchanges the token for the cookie that the file route checks. @returns whether the cookie is set now */
export async function renewAccess(): Promise<boolean> {
  return (await answerOf(api.auth.session.$post({}))).ok;
}

/** By the site, for good: the call is dropped. After anything else it is repeated. */
function isRefused(answer: { code: string; status: number }): boolean {
  return isSiteRefusal(answer) && answer.status < 500 && answer.status !== 408 && answer.status !== 429;
}
