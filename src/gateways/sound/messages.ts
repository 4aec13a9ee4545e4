import { z } from 'zod';
import { SoundFacts, certainties, soundRefusals } from '#domain/gateways.ts';
import { uploadSteps } from '#domain/studio/rules.ts';

/** Protocol between the site and the encoding program: one JSON line each way, then progress lines. */

export const ProgramTask = z.discriminatedUnion('work', [
  z.object({ work: z.literal('version') }),
  z.object({ work: z.literal('measure'), source: z.string() }),
  /** `script`: path of a `Script` as JSON, which may be longer than an argument. `cpuSeconds`: with its own programs. */
  z.object({ work: z.literal('time'), source: z.string(), script: z.string(), cpuSeconds: z.number() }),
  /** `folder` gets the files. */
  z.object({ work: z.literal('cut'), source: z.string(), folder: z.string() }),
  /** `path` of the file to write. */
  z.object({
    work: z.literal('clip'),
    source: z.string(),
    path: z.string(),
    start: z.number(),
    seconds: z.number(),
  }),
  z.object({
    work: z.literal('process'),
    source: z.string(),
    listening: z.string(),
    small: z.string(),
    isLenient: z.boolean(),
    maxSeconds: z.number().optional(),
    comment: z.string().optional(),
    /** Free bytes where the results go. */
    room: z.number(),
  }),
]);
/** The file that a `time` task names. */
export const ScriptFile = z.object({ lines: z.array(z.string()), language: z.string() });

export type ProgramTask = z.infer<typeof ProgramTask>;

export const ProgramLine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('progress'),
    step: z.enum(uploadSteps),
    percent: z.number(),
    facts: SoundFacts.partial(),
  }),
  z.object({ kind: z.literal('refused'), reason: z.enum(soundRefusals), detail: z.string() }),
  z.object({ kind: z.literal('version'), version: z.string() }),
  z.object({
    kind: z.literal('timed'),
    times: z.array(z.object({ start: z.number(), end: z.number(), certainty: z.enum(certainties) })),
  }),
  z.object({ kind: z.literal('clipped') }),
  z.object({ kind: z.literal('cut'), pieces: z.array(z.object({ path: z.string(), start: z.number() })) }),
  /** `peaks` in base64; `chapters` as the file states them. */
  z.object({
    kind: z.literal('done'),
    facts: SoundFacts,
    peaks: z.string(),
    chapters: z.array(z.object({ start: z.number(), title: z.string() })).optional(),
  }),
]);
export type ProgramLine = z.infer<typeof ProgramLine>;
