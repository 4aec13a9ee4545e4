import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DomainError } from '#domain/kernel/errors.ts';
import type { work } from './work.ts';

const program = fileURLToPath(new URL('program.ts', import.meta.url));

type Work = typeof work;
type WorkName = keyof Work;
type WorkArguments<Name extends WorkName> = Parameters<Work[Name]>;
type WorkResult<Name extends WorkName> = Awaited<ReturnType<Work[Name]>>;

/** Protocol between the site and the picture program, over Node's IPC channel: one task, then its reply. */
export type PictureTask = { name: WorkName; args: unknown[] };

export type PictureReply =
  | { kind: 'ready' }
  | { kind: 'cannot-start'; message: string }
  /** `megabytes`: resident memory of the program. */
  | { kind: 'done'; result: unknown; megabytes: number }
  | { kind: 'unreadable' | 'too-costly'; megabytes: number };

const startSeconds = 60;
/** Later the server would close the connection without an answer. */
const maxWaitSeconds = 45;

export type PictureLimits = {
  /** Programs at once; each handles one picture at a time. */
  programs: number;
  /** Resident memory of a program, which is killed above it. */
  megabytes: number;
  /** Address space of a program; most of it is no memory. */
  addressMegabytes: number;
  /** A program that keeps more than this after a picture is replaced. */
  restingMegabytes: number;
  /** Processor time of one picture; three times as long may elapse on a busy machine. */
  seconds: number;
  /** A program without work ends after this many seconds. */
  idleSeconds: number;
  /** Pictures that wait for a program; one more is refused with `request/too-many`. */
  waiting: number;
  waitingMegabytes: number;
  /** Nice value of the programs. */
  priority: number;
};

const usual: PictureLimits = {
  programs: 1,
  megabytes: 500,
  addressMegabytes: 7000,
  restingMegabytes: 250,
  seconds: 15,
  idleSeconds: 300,
  waiting: 1000,
  waitingMegabytes: 128,
  priority: 0,
};

/** The content is no picture, or a broken one. */
export class PictureUnreadable extends Error {}
/** The picture takes more memory or time than one may have. */
export class PictureTooCostly extends Error {}

type Job = PictureTask & { bytes: number; begin(): void; resolve(result: unknown): void; reject(error: Error): void };

export type Pictures = {
  /**
   * Runs one function of `work.ts` in a program of its own.
   * @throws PictureUnreadable, PictureTooCostly; DomainError when too many wait
   */
  run<Name extends WorkName>(name: Name, ...args: WorkArguments<Name>): Promise<WorkResult<Name>>;
};

/** Programs that decode and encode pictures: started when needed, and replaced when they die or grow. */
export function openPictures(limits: Partial<PictureLimits> = {}): Pictures {
  const max = { ...usual, ...limits };
  const waiting: Job[] = [];
  let waitingBytes = 0;
  const idle: Program[] = [];
  let busy = 0;

  function startNext(): void {
    while (busy < max.programs) {
      const job = waiting.shift();
      if (job === undefined) return;
      job.begin();
      waitingBytes -= job.bytes;
      busy += 1;
      void handle(job);
    }
  }

  async function handle(job: Job): Promise<void> {
    const running = idle.pop() ?? startProgram(max, (ended) => void dropFrom(idle, ended));
    try {
      job.resolve(await running.work(job));
    } catch (error) {
      job.reject(error as Error);
    } finally {
      busy -= 1;
      if (running.isReusable()) idle.push(running);
      startNext();
    }
  }

  return {
    run<Name extends WorkName>(name: Name, ...args: WorkArguments<Name>) {
      const bytes = args.reduce<number>((sum, value) => sum + (value instanceof Uint8Array ? value.byteLength : 0), 0);
      const isFull = waiting.length >= max.waiting || waitingBytes + bytes > max.waitingMegabytes * 1024 * 1024;
      if (waiting.length > 0 && isFull) return Promise.reject(new DomainError('request/too-many'));
      return new Promise<WorkResult<Name>>((resolve, reject) => {
        const late = () => {
          dropFrom(waiting, job);
          waitingBytes -= bytes;
          reject(new DomainError('request/too-many'));
        };
        const timer = setTimeout(late, maxWaitSeconds * 1000);
        const begin = () => clearTimeout(timer);
        const job: Job = { name, args, bytes, begin, resolve: (result) => resolve(result as WorkResult<Name>), reject };
        waiting.push(job);
        waitingBytes += bytes;
        startNext();
      });
    },
  };
}

function dropFrom<Item>(list: Item[], item: Item): void {
  const place = list.indexOf(item);
  if (place !== -1) list.splice(place, 1);
}

type Program = { work(task: PictureTask): Promise<unknown>; isReusable(): boolean };

/** It gets no settings of the site, so that an exploit in a decoder finds no secret. */
function startProgram(limits: PictureLimits, onEnd: (program: Program) => void): Program {
  const { megabytes, addressMegabytes, restingMegabytes, seconds, idleSeconds, priority } = limits;
  const command = [
    process.execPath,
    '--max-old-space-size=128',
    program,
    ...[megabytes, seconds, priority].map(String),
  ];
  const limited = ['sh', '-c', `ulimit -v ${addressMegabytes * 1024}; exec "$@"`, 'sh'];
  const [name = '', ...args] = process.platform === 'linux' ? [...limited, ...command] : command;
  const child = spawn(name, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    // Threads that share few arenas give memory back.
    env: { MALLOC_ARENA_MAX: '2' },
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  let isReusable = true;
  let receive: ((reply: PictureReply | undefined) => void) | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  const ready = new Promise<void>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The program that reads pictures does not start: ${why}`));
    const deadline = setTimeout(kill, startSeconds * 1000);
    child.on('message', (reply: PictureReply) => {
      if (reply.kind === 'cannot-start') return fail(reply.message);
      if (reply.kind !== 'ready') return receive?.(reply);
      clearTimeout(deadline);
      resolve();
    });
    const close = (why: string) => {
      isReusable = false;
      process.off('exit', kill);
      clearTimeout(deadline);
      clearTimeout(idleTimer);
      onEnd(self);
      receive?.(undefined);
      fail(why);
    };
    child.on('error', ({ message }) => close(message));
    child.once('exit', (code, signal) => close(`it ended with ${signal ?? code}`));
  });
  ready.catch(() => undefined);

  const self: Program = {
    isReusable: () => isReusable,
    async work({ name: work, args: given }) {
      clearTimeout(idleTimer);
      hold(child, true);
      await ready;
      const deadline = setTimeout(kill, 3 * seconds * 1000);
      const reply = await new Promise<PictureReply | undefined>((resolve) => {
        receive = resolve;
        child.send({ name: work, args: given } satisfies PictureTask, (error) => void (error && kill()));
      });
      receive = undefined;
      clearTimeout(deadline);
      // So that the site, a command or a test can end while the program waits for work.
      hold(child, false);
      if (reply === undefined) throw new PictureTooCostly();
      if ('megabytes' in reply && reply.megabytes > restingMegabytes) {
        isReusable = false;
        kill();
      }
      idleTimer = setTimeout(kill, idleSeconds * 1000);
      idleTimer.unref();
      if (reply.kind === 'done') return reply.result;
      throw reply.kind === 'too-costly' ? new PictureTooCostly() : new PictureUnreadable();
    },
  };
  return self;
}

function hold(child: ChildProcess, isHeld: boolean): void {
  if (isHeld) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

/** Pictures that people send: one at a time, after the work that visitors wait for. */
export const arrivingPictures = openPictures({ priority: 5 });

/** Stored pictures that pages, cards and feeds show. */
export const shownPictures = openPictures({ programs: 2 });

/** `undefined` for content that is no picture or takes too much. */
export async function orUndefined<Result>(running: Promise<Result>): Promise<Result | undefined> {
  try {
    return await running;
  } catch (error) {
    if (error instanceof PictureUnreadable || error instanceof PictureTooCostly) return undefined;
    throw error;
  }
}
