import { t } from '@lingui/core/macro';
import type { AudioChange } from '#domain/studio/forms.ts';
import type { EditedAudio, FieldChange } from '#domain/studio/audios/audio-values.ts';
import type { CoverArea, EditedField } from '#domain/studio/rules.ts';
import { createListeners } from '#player/listeners.ts';
import type { Answer } from '../../api.ts';
import { changeText } from '../../workshop/forms/change-text.ts';
import type { DeviceRecord } from '../device-record.ts';
import { faultsIn } from './field-faults.ts';

/**
 * The editor of one audio, without React: stores input, saves it shortly after typing, and detects changes by others.
 * Unsaved changes stay on this device until the site has them.
 */

type Saved = { version: number; apart: EditedField[]; savedAt: string };
export type CoverChoice = { picture: string } | { area: CoverArea } | { drawn: true };

export type EditorCalls = {
  save(save: { version: number; change: AudioChange }): Promise<Answer<Saved>>;
  load(): Promise<Answer<EditedAudio>>;
  publish(version: number): Promise<Answer<Saved>>;
  discard(version: number): Promise<Answer<Saved>>;
  setCover(save: { version: number; choice: CoverChoice }): Promise<Answer<Saved>>;
};

export type Values = EditedAudio['values'];

export type SaveStatus =
  | { name: 'saved' }
  | { name: 'saving' }
  /** The site cannot be reached; retried automatically. */
  | { name: 'offline' }
  | { name: 'refused'; message: string }
  /** Others changed fields that have unsaved changes here, to the values in `theirs`. */
  | { name: 'conflict'; changes: FieldChange[]; theirs: Values };

export type EditorSnapshot = {
  values: Values;
  cover: EditedAudio['cover'];
  version: number;
  /** Fields whose draft listeners do not see. */
  apart: EditedField[];
  savedAt: string | null;
  status: SaveStatus;
  /** Something typed is not on the site yet. */
  isUnsaved: boolean;
  /** Reason, by field, why it is not saved. */
  faults: Partial<Record<EditedField, string>>;
};

/** Milliseconds after the last change. */
const settleMs = 800;
const retryMs = 4000;

/** The refused field, by error code. */
const refusedFields: Partial<Record<string, EditedField>> = {
  'audio/slug-taken': 'slug',
  'audio/unknown-category': 'categories',
  'audio/crowded-facet': 'tags',
  'audio/unknown-series': 'series',
  'audio/mistimed-transcript': 'transcript',
};

/** Changes not saved on the site yet, with the version that they are based on. */
export type UnsavedChanges = { version: number; change: AudioChange };

export type AudioEditor = ReturnType<typeof createAudioEditor>;

export function createAudioEditor({
  first,
  calls,
  unsaved,
}: {
  first: EditedAudio;
  calls: EditorCalls;
  unsaved: DeviceRecord<UnsavedChanges>;
}) {
  const updates = createListeners();
  /** Changes not saved on the site yet. */
  let pending: AudioChange = {};
  /** Why the site refused a value; cleared when the value changes. */
  let refused: Partial<Record<EditedField, string>> = {};
  let theirs: EditedAudio | undefined;
  /** Newest version whose changes by others were compared with `pending`. */
  let compared = first.version;
  /** The version of each field that was saved here. */
  const own = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let isStopped = false;
  let snapshot: EditorSnapshot = {
    values: first.values,
    cover: first.cover,
    version: first.version,
    apart: first.apart,
    savedAt: first.savedAt,
    status: { name: 'saved' },
    isUnsaved: false,
    faults: {},
  };

  function publish(change: Partial<EditorSnapshot>): void {
    snapshot = { ...snapshot, ...change, isUnsaved: Object.keys(pending).length > 0 };
    snapshot.faults = { ...refused, ...faultsIn(snapshot.values) };
    updates.emit();
  }

  function remember(): void {
    const isNothing = Object.keys(pending).length === 0;
    void unsaved.keep(isNothing ? undefined : { version: snapshot.version, change: pending });
  }

  /** Fields that can be saved now: neither invalid nor refused. */
  function sendable(): AudioChange {
    return Object.fromEntries(
      Object.entries(pending).filter(([field]) => snapshot.faults[field as EditedField] === undefined),
    );
  }

  function schedule(afterMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), afterMs);
  }

  /** Adopts the stored values, except for fields with unsaved changes. */
  function takeOver(stored: EditedAudio): void {
    compared = stored.version;
    publish({
      values: { ...stored.values, ...(pending as Partial<Values>) },
      cover: stored.cover,
      version: stored.version,
      apart: stored.apart,
      savedAt: stored.savedAt,
    });
  }

  async function meetConflict(): Promise<void> {
    const answer = await calls.load();
    if (!answer.ok) return fail(answer);
    theirs = answer.data;
    const changes = theirs.changes.filter(({ field, version }) => version > snapshot.version && field in pending);
    publish({ status: { name: 'conflict', changes, theirs: theirs.values } });
  }

  function fail(answer: Extract<Answer<unknown>, { ok: false }>, sent: AudioChange = {}): void {
    if (answer.status === 404) {
      const message = t`This audio was deleted, or you no longer manage this creator. Copy what you need.`;
      publish({ status: { name: 'refused', message } });
      return;
    }
    if (answer.status === 0 || answer.status === 429 || answer.status >= 500) {
      publish({ status: { name: 'offline' } });
      schedule(retryMs);
      return;
    }
    const named = /^change\.(\w+)/.exec(answer.field ?? '')?.[1];
    const field = refusedFields[answer.code] ?? (named as EditedField | undefined);
    if (field === undefined || !(field in sent)) {
      publish({ status: { name: 'refused', message: answer.message } });
      return;
    }
    refused = { ...refused, [field]: answer.message };
    publish({ status: { name: 'refused', message: answer.message } });
    // The other fields must not wait for this one.
    if (Object.keys(sendable()).length > 0) schedule(0);
  }

  async function saveOnce(): Promise<void> {
    const sent = sendable();
    if (Object.keys(sent).length === 0 || snapshot.status.name === 'conflict') return;
    publish({ status: { name: 'saving' } });
    const { version } = snapshot;
    const answer = await calls.save({ version, change: sent });
    if (!answer.ok) {
      if (answer.code === 'audio/changed-meanwhile') await meetConflict();
      else fail(answer, sent);
      return;
    }
    for (const field of Object.keys(sent)) own.set(field, answer.data.version);
    // Values typed during the save still have to be saved.
    pending = Object.fromEntries(
      Object.entries(pending).filter(([field, value]) => sent[field as keyof AudioChange] !== value),
    );
    publish({ ...answer.data, status: { name: 'saved' } });
    remember();
    // Others changed other fields.
    if (answer.data.version > version + 1) await refresh();
    if (Object.keys(sendable()).length > 0) await saveOnce();
  }

  /** One at a time. */
  function save(): Promise<void> {
    clearTimeout(timer);
    running ??= saveOnce().finally(() => {
      running = undefined;
    });
    return running;
  }

  /** Ends a conflict: what is still unsaved replaces these values. */
  function settle(stored: EditedAudio): void {
    publish({ status: { name: 'saved' } });
    takeOver(stored);
    remember();
    schedule(0);
  }

  /** The site does not refuse a save that is based on the newest version, so this compares what it is based on. */
  function findConflicts({ changes, values }: EditedAudio): FieldChange[] {
    const isSaved = (field: string) =>
      JSON.stringify(pending[field as keyof AudioChange]) === JSON.stringify(values[field as keyof Values]);
    return changes.filter(
      ({ field, version }) => version > compared && field in pending && own.get(field) !== version && !isSaved(field),
    );
  }

  async function refresh(): Promise<void> {
    const answer = await calls.load();
    // An older answer than that of a save meanwhile.
    if (!answer.ok || snapshot.status.name === 'conflict' || answer.data.version < snapshot.version) return;
    const changes = findConflicts(answer.data);
    if (changes.length === 0) return takeOver(answer.data);
    theirs = answer.data;
    publish({ status: { name: 'conflict', changes, theirs: theirs.values } });
  }

  /** @returns whether everything is saved */
  async function flush(): Promise<boolean> {
    await save();
    return Object.keys(pending).length === 0;
  }

  /** @returns the error message, if any */
  async function act(call: () => Promise<Answer<Saved>>): Promise<string | undefined> {
    publish({ status: { name: 'saving' } });
    const answer = await call();
    if (answer.ok) {
      publish({ ...answer.data, status: { name: 'saved' } });
      await refresh();
      return undefined;
    }
    publish({ status: { name: 'saved' } });
    if (answer.code === 'audio/changed-meanwhile') {
      await refresh();
      return t`${{ change: changeText(answer.change) }}. Look at it and try again.`;
    }
    return answer.message;
  }

  return {
    getSnapshot: () => snapshot,
    subscribe: updates.subscribe,

    /** Delayed until the typing pauses. */
    change(change: AudioChange): void {
      pending = { ...pending, ...change };
      refused = Object.fromEntries(Object.entries(refused).filter(([field]) => !(field in change)));
      publish({ values: { ...snapshot.values, ...(change as Partial<Values>) } });
      remember();
      if (snapshot.status.name === 'refused') publish({ status: { name: 'saved' } });
      schedule(settleMs);
    },

    /** Saves what an earlier visit on this device could not. */
    async resume(): Promise<void> {
      isStopped = false;
      const kept = await unsaved.read();
      // Another editor of this audio may have opened meanwhile.
      if (kept === undefined || isStopped) return;
      pending = { ...kept.change, ...pending };
      compared = Math.min(kept.version, compared);
      // With the version of that time, so that later changes by others are conflicts.
      publish({
        version: Math.min(kept.version, snapshot.version),
        values: { ...snapshot.values, ...(pending as Partial<Values>) },
      });
      remember();
      schedule(0);
    },

    save,
    refresh,
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
      void save();
    },

    /** Drops what was typed into one field, or into all that are in conflict. */
    takeTheirs(name?: string): void {
      if (theirs === undefined || snapshot.status.name !== 'conflict') return;
      const { changes } = snapshot.status;
      const left = name === undefined ? [] : changes.filter(({ field }) => field !== name);
      const taken = new Set<string>(changes.filter((change) => !left.includes(change)).map(({ field }) => field));
      pending = Object.fromEntries(Object.entries(pending).filter(([field]) => !taken.has(field)));
      if (left.length === 0) return settle(theirs);
      const values = { ...theirs.values, ...(pending as Partial<Values>) };
      publish({ values, status: { ...snapshot.status, changes: left } });
      remember();
    },

    keepMine(): void {
      if (theirs !== undefined && snapshot.status.name === 'conflict') settle(theirs);
    },

    /** @returns the error message, if any */
    async publishChanges(): Promise<string | undefined> {
      if (!(await flush())) return t`Some changes are not saved yet.`;
      return act(() => calls.publish(snapshot.version));
    },

    /** @returns the error message, if any */
    async discardChanges(): Promise<string | undefined> {
      clearTimeout(timer);
      if (running !== undefined) await running;
      pending = {};
      refused = {};
      remember();
      return act(() => calls.discard(snapshot.version));
    },

    /** @returns the error message, if any */
    async setCover(choice: CoverChoice): Promise<string | undefined> {
      await flush();
      return act(() => calls.setCover({ version: snapshot.version, choice }));
    },
  };
}
