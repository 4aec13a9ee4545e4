import type { Actor } from '../kernel/actor.ts';
import type { Db } from '../kernel/db.ts';
import type { FigureQuery, Period } from './figure-periods.ts';
import * as figures from './figures.ts';
import { figuresFile } from './figures-file.ts';
import { findStudioOverview } from './overview.ts';
import * as recordings from './recordings.ts';
import * as voices from './voices.ts';

export function openStudio({ db }: { db: Db }) {
  return {
    listVoices: (actor: Actor) => voices.listManagedVoices(db, actor),
    findVoice: (actor: Actor, idOrSlug: string) => voices.findManagedVoice(db, actor, idOrSlug),
    findRecording: (audioId: string) => recordings.findRecording(db, audioId),
    findOverview: (actor: Actor, voiceId: string) => findStudioOverview(db, actor, voiceId),
    findFigures: (actor: Actor, voiceId: string, query: FigureQuery) =>
      figures.findVoiceFigures(db, actor, voiceId, query),
    findAudioFigures: (actor: Actor, audio: { voiceId: string; idOrSlug: string; period: Period }) =>
      figures.findAudioFigures(db, actor, audio),
    /** The days of a period, of the voice or of one audio, as a file. @returns undefined for what the actor may not see */
    async printFigures(
      actor: Actor,
      idOrSlug: string,
      { audio, ...query }: FigureQuery & { audio?: string | undefined },
    ) {
      const voice = await voices.findManagedVoice(db, actor, idOrSlug);
      if (voice === undefined) return undefined;
      const all = await figures.findVoiceFigures(db, actor, voice.id, query);
      if (all === undefined) return undefined;
      const { period } = all;
      const one =
        audio === undefined
          ? undefined
          : await figures.findAudioFigures(db, actor, { voiceId: voice.id, idOrSlug: audio, period });
      if (audio !== undefined && one === undefined) return undefined;
      const name = [one?.audio.slug ?? voice.slug, 'figures', period.from, 'to', period.to].join('-');
      return { name: `${name}.csv`, text: figuresFile(one?.audio.title ?? voice.name, (one ?? all).days) };
    },
    countFor: (voiceId: string) => voices.countForStudio(db, voiceId),
  };
}
