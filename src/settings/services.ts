import { z } from 'zod';
import { areAllUnset, httpUrl, incompletePair, requireAll } from './values.ts';

/** Algolia. */
export const searchSettings = {
  ALGOLIA_APP_ID: z
    .string()
    .regex(/^[A-Za-z0-9]{4,40}$/, 'must be the id of an Algolia application, such as BH4D9OD16A')
    .optional()
    .meta({ description: 'Algolia instead of the built-in search index: application ID', unset: 'the built-in index' }),
  ALGOLIA_API_KEY: z
    .string()
    .regex(/^[A-Za-z0-9]{8,100}$/, 'must be an API key of the Algolia application')
    .optional()
    .describe('Algolia: a key that may search, add and delete objects, delete indices and edit settings'),
  ALGOLIA_INDEX_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be 1 to 40 letters, digits, _ or -')
    .default('sotto')
    .describe('Algolia: first part of the names of the indices, such as `sotto_audios`'),
};

/** Segment, push services and the hub of feeds. */
export const reportingSettings = {
  SEGMENT_WRITE_KEY: z
    .string()
    .regex(/^[\w-]{1,200}$/, 'must be the write key of a source')
    .optional()
    .describe('Forwards usage data to Segment: write key of the source'),
  SEGMENT_HOST: httpUrl.optional().meta({ description: 'Another service with Segment’s API', unset: 'Segment' }),
  PUSH_SERVICES: z
    .string()
    .refine(
      (text) => text.split(',').every((one) => URL.parse(one.trim())?.origin === one.trim()),
      'must be origins such as https://push.example, with commas between them',
    )
    .optional()
    .describe(
      'Origins of further push services, separated by commas. Those of Chrome, Firefox, Safari and Edge are always allowed',
    ),
  WEBSUB_HUB: httpUrl
    .optional()
    .describe(
      'Address of a WebSub hub, such as `https://pubsubhubbub.appspot.com/`. It is told when a public feed has something new, so that podcast apps show it at once, and learns the address of the feed alone',
    ),
};

/** Transcripts that a speech service drafts. */
export const speechSettings = {
  SPEECH_URL: httpUrl
    .optional()
    .describe(
      'Address of a service with OpenAI’s transcription interface, such as `https://api.openai.com` or one of your own: creators can have it draft the transcript of an audio, whose sound is then sent there. Name it on the privacy page',
    ),
  SPEECH_KEY: z.string().min(1).optional().describe('Speech service: its key'),
  SPEECH_MODEL: z.string().min(1).max(100).default('whisper-1').describe('Speech service: name of the model'),
};

type ServiceValues = z.infer<z.ZodObject<typeof searchSettings & typeof reportingSettings & typeof speechSettings>>;

/** @throws ConfigError */
export function serviceConfig(value: ServiceValues) {
  return {
    /** Undefined: the built-in search index. */
    algolia: algoliaConfig(value),
    /** Undefined: events stay on this site. */
    segment: segmentConfig(value),
    feedHub: value.WEBSUB_HUB,
    /** Undefined: no sound leaves the site. */
    speech:
      value.SPEECH_URL === undefined
        ? undefined
        : { url: value.SPEECH_URL, key: value.SPEECH_KEY, model: value.SPEECH_MODEL },
    pushServices: (value.PUSH_SERVICES ?? '').split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()])),
  };
}

function algoliaConfig({
  ALGOLIA_APP_ID: appId,
  ALGOLIA_API_KEY: apiKey,
  ALGOLIA_INDEX_PREFIX: prefix,
}: ServiceValues) {
  if (appId === undefined && apiKey === undefined) return undefined;
  if (appId === undefined || apiKey === undefined) throw incompletePair('ALGOLIA_APP_ID', 'ALGOLIA_API_KEY');
  return { appId, apiKey, prefix };
}

function segmentConfig({ SEGMENT_WRITE_KEY, SEGMENT_HOST }: ServiceValues) {
  if (areAllUnset({ SEGMENT_WRITE_KEY, SEGMENT_HOST })) return undefined;
  const source = requireAll('Segment', { SEGMENT_WRITE_KEY });
  return { writeKey: source.SEGMENT_WRITE_KEY, host: SEGMENT_HOST };
}
