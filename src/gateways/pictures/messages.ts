import type { work } from './work.ts';

type Work = typeof work;
export type WorkName = keyof Work;
export type WorkArguments<Name extends WorkName> = Parameters<Work[Name]>;
export type WorkResult<Name extends WorkName> = Awaited<ReturnType<Work[Name]>>;

/** Protocol between the site and the picture program, over Node's IPC channel: one task, then its reply. */
export type PictureTask = { name: WorkName; args: unknown[] };

export type PictureReply =
  | { kind: 'ready' }
  | { kind: 'cannot-start'; message: string }
  /** `megabytes`: resident memory of the program. */
  | { kind: 'done'; result: unknown; megabytes: number }
  | { kind: 'unreadable' | 'too-costly'; megabytes: number };
