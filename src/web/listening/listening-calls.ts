import type { Audio } from '#domain/catalogue/audios.ts';
import type { HistoryCall, HistoryServer } from '#player/history-server.ts';
import type { PutOutcome, QueueServer, RemoteQueue } from '#player/queue-server.ts';
import type { SavedQueue } from '#player/saved-queue.ts';
import { answerOf, api } from '#web/api.ts';
import type { Answer } from '#web/api.ts';
import { trackOf } from './track-of.ts';

/** What the player asks of the site, over the typed client. The player decides when. */

/** A request that outlives its page may not be larger. */
const keepaliveBytes = 60_000;

type QueueAnswer = { version: number; queue: SavedQueue; audios: Audio[]; dropped: number };

/** @param know is told of the audios that a queue brings along */
export function queueServer(know: (audios: readonly Audio[]) => void): QueueServer {
  function toRemote({ version, queue, audios, dropped }: QueueAnswer): RemoteQueue {
    know(audios);
    // Each item of the queue says where it was taken from.
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
        { header: { 'if-match': `"${ifMatch}"` }, json: queue },
        { init: { keepalive } },
      );
      if (response.ok) return { ok: true, version: (await response.json()).version };
      if (response.status === 412) {
        const { newest } = (await response.json()) as unknown as { newest: QueueAnswer };
        return { ok: false, reason: 'newer', newest: toRemote(newest) };
      }
      if (isTrouble(response.status)) throw new Error(`The queue was answered with ${response.status}`);
      return { ok: false, reason: 'refused' };
    },
  };
}

export const historyServer: HistoryServer = {
  async send(call) {
    const answer = await sendHistory(call);
    if (answer.ok) return 'done';
    if (isTrouble(answer.status)) throw new Error(answer.code);
    return 'refused';
  },
};

function sendHistory(call: HistoryCall): Promise<Answer<unknown>> {
  // The page may go at any time.
  const leaving = { init: { keepalive: true } };
  switch (call.call) {
    case 'play':
      return answerOf(api.audios.play[':id'].$get({ param: { id: call.audioId } }, leaving));
    case 'count': {
      const { type, key, value, position, reportId } = call;
      return answerOf(
        api.history.me['increase-counter'].$post({ json: { type, key, value, position, reportId } }, leaving),
      );
    }
    case 'set-place':
      return answerOf(
        api.history.me.value.$post(
          { json: { type: 'currentlyListening', id: call.audioId, seconds: call.seconds } },
          leaving,
        ),
      );
    case 'delete-place':
      return answerOf(
        api.history.me.value.$delete({ json: { type: 'currentlyListening', id: call.audioId } }, leaving),
      );
  }
}

/** The kept seconds by audio id; undefined when they could not be had. */
export async function loadPlaces(): Promise<Record<string, number> | undefined> {
  const answer = await answerOf(api.history.me.$get());
  return answer.ok ? answer.data.currentlyListening : undefined;
}

/** What "keep playing" goes on with. */
export async function findSimilar(audioId: string): Promise<Audio[]> {
  const answer = await answerOf(api.audios[':id'].similar.$get({ param: { id: audioId }, query: { limit: '20' } }));
  if (!answer.ok) throw new Error(answer.code);
  return answer.data.items;
}

/** Changes the token for the cookie that the file route wants to see. @returns whether it has it now */
export async function renewAccess(): Promise<boolean> {
  return (await answerOf(api.auth.session.$post({}, { headers: { 'content-type': 'application/json' } }))).ok;
}

/** The site cannot be reached, or is in trouble; what was asked may be asked again. */
function isTrouble(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}
