import { callEach } from './listeners.ts';
import type { Player } from './player.ts';
import { type PreferenceStore, readRecord } from './stored.ts';

const KEY = 'sotto_speeds';
/** Key of the speed for creators without one of their own. */
const OTHERS = '';
/** The creators whose speed was set last. */
const maxCreators = 200;

/** Keeps the speed per creator, in this browser: what is set during an audio is for its creator. The function ends it. */
export function keepSpeeds(player: Player, storage: PreferenceStore): () => void {
  let speeds = new Map(
    Object.entries(readRecord(storage.get(KEY))).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] >= 0.5 && entry[1] <= 2,
    ),
  );
  let voiceId: string | undefined;
  const rate = () => player.getEngineSnapshot().rate;
  const speedOf = (id: string) => speeds.get(id) ?? speeds.get(OTHERS) ?? 1;

  function follow() {
    const { current } = player.getSnapshot();
    if (!current) return;
    if (current.voice.id !== voiceId) {
      voiceId = current.voice.id;
      if (!speeds.has(OTHERS)) speeds.set(OTHERS, rate());
      if (speedOf(voiceId) !== rate()) player.setRate(speedOf(voiceId));
    } else if (rate() !== speedOf(voiceId)) {
      const others: [string, number] = [OTHERS, speedOf(OTHERS)];
      const own = [...speeds].filter(([id]) => id !== OTHERS && id !== voiceId).slice(1 - maxCreators);
      speeds = new Map([others, ...own, [voiceId, rate()]]);
      storage.set(KEY, JSON.stringify(Object.fromEntries(speeds)));
    }
  }

  const stop = [player.subscribe(follow), player.subscribeEngine(follow)];
  follow();
  return () => callEach(stop);
}
