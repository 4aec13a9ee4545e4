import { type PreferenceStore, isRecord } from '#player/stored.ts';
import { enoughHeard, heardCountKey } from './enough-heard.ts';
import type { HeardAudio } from './heard.ts';
import type { SealedValues } from './suggester.ts';

const key = 'sotto_heard';
const maxKept = 200;

type Known = Pick<HeardAudio, 'id' | 'number' | 'tags'>;

/** The audios that a visitor heard on this device. They stay in this browser: nothing sends them. */
export function openHeardHere(sealed: SealedValues, storage: PreferenceStore) {
  let changing: Promise<unknown> = Promise.resolve();

  async function read(): Promise<HeardAudio[]> {
    const stored = await sealed.read(key);
    return Array.isArray(stored) ? stored.filter(isHeard) : [];
  }

  /** Changes run one after the other, because each reads what the previous one wrote. */
  function change(make: (heard: HeardAudio[]) => HeardAudio[]): Promise<unknown> {
    changing = changing
      .then(async () => {
        const heard = make(await read()).slice(0, maxKept);
        await sealed.write(key, heard.length === 0 ? undefined : heard);
        storage.set(heardCountKey, heard.length === 0 ? '' : String(Math.min(heard.length, enoughHeard)));
      })
      .catch(() => undefined);
    return changing;
  }

  return {
    /** The newest first. */
    list: () => changing.then(read),
    /** It was heard for half a minute. */
    noteListen: (audio: Pick<HeardAudio, 'id' | 'title' | 'language' | 'number' | 'tags'>, now = Date.now()) =>
      change((before) => {
        const known = before.find(({ id }) => id === audio.id);
        const one: HeardAudio = {
          ...(known ? completed({ ...known, ...audio }, known) : audio),
          at: new Date(now).toISOString(),
          listens: (known?.listens ?? 0) + 1,
          isFinished: known?.isFinished ?? false,
          isFavorite: false,
        };
        return [one, ...before.filter(({ id }) => id !== audio.id)];
      }),
    noteEnd: (audioId: string) =>
      change((before) => before.map((one) => (one.id === audioId ? { ...one, isFinished: true } : one))),
    /** Adds numbers and tags that were not known when it was heard. */
    complete: (known: readonly Known[]) =>
      change((before) => {
        const byId = new Map(known.map((one) => [one.id, one]));
        return before.map((one) => completed(one, byId.get(one.id)));
      }),
    clear: () => change(() => []),
  };
}

function completed(audio: HeardAudio, known: Known | undefined): HeardAudio {
  const { number, tags } = audio;
  return { ...audio, number: number ?? known?.number ?? null, tags: tags.length > 0 ? tags : (known?.tags ?? []) };
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
