/** Playlists in the rail on Home. */
export const homePlaylists = 12;

/**
 * Texts of one line that a creator may give an audio. The column, limits, draft, conflicts, form, command and API follow
 * from this list; a new one also takes a migration, its words in the Studio, and a place where listeners see it.
 */
export const audioTexts = {
  badge: { max: 20 },
} as const satisfies Record<string, { max: number }>;
export type AudioText = keyof typeof audioTexts;
export const audioTextNames = Object.keys(audioTexts) as AudioText[];

/** A value for each of these texts. */
export function eachAudioText<Value>(valueOf: (name: AudioText) => Value): Record<AudioText, Value> {
  return Object.fromEntries(audioTextNames.map((name) => [name, valueOf(name)])) as Record<AudioText, Value>;
}

export const voiceTypes = ['female', 'male', 'non-binary'] as const;
export type VoiceType = (typeof voiceTypes)[number];

/** Labels for voice pages and filter chips. */
export const voiceTypeLabels: Record<VoiceType, string> = {
  female: 'Female voice',
  male: 'Male voice',
  'non-binary': 'Non-binary voice',
};

/** How many of a facet's tags an audio has at most. */
export const facetChoices = ['one', 'many'] as const;
export type FacetChoice = (typeof facetChoices)[number];

/** One line of a transcript; times are seconds from the beginning of the audio. */
export type Cue = {
  start: number;
  end: number;
  text: string;
  /** Times that a script was given, until the creator has listened to the line. Listeners do not get it. */
  certainty?: CueDoubt | undefined;
};

export const cueDoubts = ['check', 'unsure'] as const;
export type CueDoubt = (typeof cueDoubts)[number];

/** A link on a creator's page. */
export type VoiceLink = { label: string; url: string };

export const maxLinks = 5;
/** Creative Commons licenses, by their SPDX id in lower case, from the most to the least that they allow. */
export const licenses = [
  'cc0-1.0',
  'cc-by-4.0',
  'cc-by-sa-4.0',
  'cc-by-nc-4.0',
  'cc-by-nc-sa-4.0',
  'cc-by-nd-4.0',
  'cc-by-nc-nd-4.0',
] as const;
export type License = (typeof licenses)[number];
/** `CC BY-NC 4.0` */
export const licenseName = (license: License) =>
  license
    .toUpperCase()
    .replace(/^CC-/, 'CC ')
    .replace(/-(?=\d)/, ' ');
/** Creators whom one recommends. */
export const maxRecommended = 5;

/** Users who may comment on an audio: everyone with an account, subscribers and the voice's managers, or nobody. */
export const commenterChoices = ['everyone', 'subscribers', 'nobody'] as const;
export type Commenters = (typeof commenterChoices)[number];

type CommentColumns = { commentsDisabled: boolean; commentsForSubscribers: boolean };

export function commentersOf({ commentsDisabled, commentsForSubscribers }: CommentColumns): Commenters {
  if (commentsDisabled) return 'nobody';
  return commentsForSubscribers ? 'subscribers' : 'everyone';
}

/** Comments that wait until the creator has read them; each takes in those before it. */
export const commentHolds = ['none', 'links', 'unkind', 'all'] as const;
export type CommentHold = (typeof commentHolds)[number];

/** A voice's choice, in its two columns; an audio's own comes before it. */
export function voiceHold(voice: { holdsLinks: boolean; commentHold: 'unkind' | 'all' | null }): CommentHold {
  return voice.holdsLinks ? (voice.commentHold ?? 'links') : 'none';
}

export function holdColumns(hold: CommentHold) {
  return { holdsLinks: hold !== 'none', commentHold: hold === 'unkind' || hold === 'all' ? hold : null };
}

export const commentOrders = ['newest', 'oldest', 'answered'] as const;
export type CommentOrder = (typeof commentOrders)[number];

/** A listener's own choice is in this cookie, for all audios. */
export const commentOrderCookie = 'sotto_comments';
const orderPattern = new RegExp(`(?:^|;\\s*)${commentOrderCookie}=([a-z]+)(?:;|$)`);

/** @param cookies the Cookie header */
export function commentOrderOf(cookies: string): CommentOrder | undefined {
  const named = cookies.includes(commentOrderCookie) ? orderPattern.exec(cookies)?.[1] : undefined;
  return commentOrders.find((order) => order === named);
}

/** `nobody` leaves the choice for later, when comments are on again, unchanged. */
export function commentColumns(commenters: Commenters): Partial<CommentColumns> & { commentsDisabled: boolean } {
  if (commenters === 'nobody') return { commentsDisabled: true };
  return { commentsDisabled: false, commentsForSubscribers: commenters === 'subscribers' };
}

/** Characters. */
export const voiceLimits = {
  name: 120,
  bio: 5000,
  linkLabel: 40,
  linkUrl: 1000,
  directoryText: 500,
  tipThanks: 300,
} as const;
export const seriesLimits = { title: 200, description: 5000 } as const;

/** Audios of one series. */
export const maxSeriesAudios = 500;

/** An https URL without credentials. */
export function isHttps(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hostname.includes('.');
}

/** Lines of one transcript. */
export const maxCues = 20_000;
/** Translations of one transcript. */
export const maxTranslations = 40;
/** Characters of one line. */
export const cueTextLength = 1000;
/** Characters of a script that is timed: about two hours of speech. */
export const scriptLength = 100_000;
/** Lines of such a script. */
export const maxScriptLines = 5000;

export const cueFaults = ['ends-before-start', 'outside', 'overlaps', 'empty'] as const;
export type CueFault = (typeof cueFaults)[number];

/**
 * The fault of each line; undefined for a line without one.
 * @param duration seconds of the recording
 */
export function faultsOf(cues: readonly Cue[], duration: number): (CueFault | undefined)[] {
  let before = 0;
  return cues.map((cue) => {
    const overlaps = cue.start < before;
    before = Math.max(before, cue.end);
    if (cue.end <= cue.start) return 'ends-before-start';
    // A measured length may be milliseconds shorter than the end of the last line in a file.
    if (cue.start < 0 || cue.end > duration + 0.01) return 'outside';
    if (overlaps) return 'overlaps';
    return cue.text.trim() === '' ? 'empty' : undefined;
  });
}

/** How much of what is heard was spoken by a machine. */
export const syntheticVoices = ['none', 'partly', 'wholly'] as const;
export type SyntheticVoice = (typeof syntheticVoices)[number];

const digitalSourceTypes = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
/** IPTC's terms for it, as addresses: they stand in the comment of sound files. */
export const digitalSourceOf: Record<SyntheticVoice, string | undefined> = {
  none: undefined,
  partly: `${digitalSourceTypes}compositeWithTrainedAlgorithmicMedia`,
  wholly: `${digitalSourceTypes}trainedAlgorithmicMedia`,
};

/** @param text a comment of a sound file. @returns undefined when it says nothing about the voice */
export function readDigitalSource(text: string): SyntheticVoice | undefined {
  const [, term] = /\bcv\.iptc\.org\/newscodes\/digitalsourcetype\/(\w+)/i.exec(text) ?? [];
  return syntheticVoices.find((one) => term !== undefined && digitalSourceOf[one]?.endsWith(`/${term}`));
}

/** Numbers of the lines with wrong times, from 1; lines without text show nothing, and do no harm. */
export function mistimedLines(cues: readonly Cue[], duration: number): number[] {
  return faultsOf(cues, duration).flatMap((fault, index) =>
    fault === undefined || fault === 'empty' ? [] : [index + 1],
  );
}

/** `0:19.40`, and `1:00:19.40` from one hour on. */
export function formatCueTime(seconds: number): string {
  const hundredths = Math.round(Math.max(0, seconds) * 100);
  const whole = Math.floor(hundredths / 100);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = `${String(rest).padStart(2, '0')}.${String(hundredths % 100).padStart(2, '0')}`;
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, '0')}:${tail}`;
}

/** A time as typed: `0:19.4`, `19,4`, `1:00:19`. @returns seconds; undefined for other text */
export function parseCueTime(text: string): number | undefined {
  const [, hours, minutes, seconds] =
    /^(?:(?:(\d{1,2}):)?(\d{1,3}):)?(\d{1,5}(?:[.,]\d{0,3})?)$/.exec(text.trim()) ?? [];
  if (seconds === undefined) return undefined;
  const rest = Number(seconds.replace(',', '.'));
  if (minutes !== undefined && rest >= 60) return undefined;
  if (hours !== undefined && Number(minutes) >= 60) return undefined;
  return Math.round((Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + rest) * 1000) / 1000;
}
