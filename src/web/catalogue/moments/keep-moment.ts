import { readSealed, writeSealed } from '#offline/sealed-values.ts';
import { answerOf, api } from '#web/api.ts';
import { browserStore } from '#web/browser-store.ts';

export type MomentDraft = { audioId: string; /** Milliseconds. */ position: number; note: string };

/** As the Library lists it. */
export type KeptMoment = MomentDraft & { id: string };

/** An act that the site has not answered yet. @param draft undefined: deleted */
type Pending = { id: string; draft?: MomentDraft };
type Stored = { owner: string; pending: Pending[] };

/** Sealed, because notes are private. */
const storeName = 'sotto_moments';

export type Kept = { ok: true; isWaiting: boolean } | { ok: false; message: string };

let stored: Stored | undefined;
let line: Promise<unknown> = Promise.resolve();
let isListening = false;

/**
 * Creates, changes or deletes a moment. Without a connection it waits in this browser, also across reloads.
 * @param owner id of the listener. @param draft undefined deletes
 */
export function keepMoment(owner: string, id: string, draft?: MomentDraft): Promise<Kept> {
  return inLine(async () => {
    const { pending } = await open(owner);
    await store({ owner, pending: [...pending.filter((other) => other.id !== id), { id, ...(draft && { draft }) }] });
    return (await send(owner)).get(id) ?? { ok: true, isWaiting: true };
  });
}

/** Sends what waited. @returns whether the site has something new */
export function flushMoments(owner: string): Promise<boolean> {
  return inLine(async () => (await send(owner)).size > 0);
}

/** One after the other, so that a later act is not overtaken. */
function inLine<Result>(act: () => Promise<Result>): Promise<Result> {
  const result = line.then(act);
  line = result.catch(() => {});
  return result;
}

async function open(owner: string): Promise<Stored> {
  if (stored?.owner === owner) return stored;
  const found = await readSealed<Stored>(browserStore, storeName);
  stored = found?.owner === owner && Array.isArray(found.pending) ? found : { owner, pending: [] };
  return stored;
}

async function store(changed: Stored): Promise<void> {
  stored = changed;
  await writeSealed(browserStore, storeName, changed.pending.length === 0 ? undefined : changed);
}

async function send(owner: string): Promise<Map<string, Kept>> {
  const answers = new Map<string, Kept>();
  const { pending } = await open(owner);
  if (!isListening) window.addEventListener('online', () => stored && void flushMoments(stored.owner));
  isListening = true;
  for (const one of pending) {
    const answer = await call(one);
    // No connection, or the site is busy.
    if (!answer.ok && (answer.status === 0 || answer.status === 429 || answer.status >= 500)) break;
    await store({ owner, pending: (await open(owner)).pending.filter((other) => other !== one) });
    answers.set(one.id, answer.ok || !one.draft ? { ok: true, isWaiting: false } : answer);
  }
  return answers;
}

function call({ id, draft }: Pending) {
  const { moments } = api.user;
  return draft
    ? answerOf(moments.$post({ json: { id, ...draft } }))
    : answerOf(moments[':id'].$delete({ param: { id } }));
}
