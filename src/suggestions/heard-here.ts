import { type PreferenceStore, isRecord } from '#player/stored.ts';
import type { HeardAudio } from './heard.ts';

const key = 'sotto_heard';
const maxKept = 200;

/** The audios that a visitor heard on this device. They stay in this browser: nothing sends them. */
export function openHeardHere(storage: PreferenceStore) {
  function list(): HeardAudio[] {
    try {
      const stored: unknown = JSON.parse(storage.get(key) || '[]');
      return Array.isArray(stored) ? stored.filter(isHeard) : [];
    } catch {
      return [];
    }
  }

  function write(heard: readonly HeardAudio[]) {
    storage.set(key, heard.length === 0 ? '' : JSON.stringify(heard.slice(0, maxKept)));
  }

  return {
    /** The newest first. */
    list,
    /** It was heard for half a minute. */
    noteListen(audio: Pick<HeardAudio, 'id' | 'title' | 'language' | 'number' | 'tags'>, now = Date.now()) {
      const before = list();
      const known = before.find(({ id }) => id === audio.id);
      const one: HeardAudio = {
        ...audio,
        at: new Date(now).toISOString(),
        listens: (known?.listens ?? 0) + 1,
        isFinished: known?.isFinished ?? false,
        isFavorite: false,
      };
      write([one, ...before.filter(({ id }) => id !== audio.id)]);
    },
    noteEnd(audioId: string) {
      write(list().map((one) => (one.id === audioId ? { ...one, isFinished: true } : one)));
    },
    clear: () => write([]),
  };
}

function isHeard(value: unknown): value is HeardAudio {
  if (!isRecord(value)) return false;
  const { number, id, title, language, tags, at, listens } = value;
  return (
    (number === null || Number.isInteger(number)) &&
    [id, title, language, at].every((text) => typeof text === 'string') &&
    Array.isArray(tags) &&
    typeof listens === 'number'
  );
}
