import { z } from 'zod';
import { i18n } from '#i18n';
import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../kernel/db.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type LookFileType, keepLookFile, keyOf } from '../../look/files.ts';
import { lookParts, lookSettings, partNames } from '../../look/settings.ts';
import { cleanSvg } from '../../look/svg.ts';
import { changeSetting, findSetting } from '../../settings/change-setting.ts';
import type { Setting } from '../../settings/setting.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { type LookOutcome, type LookRefusal, type LookTools, refusalOf } from './look.ts';
import { maxLookFileBytes } from '../rules.ts';
import { recordByOperator } from '../record.ts';

/** A setting with texts of the site, such as the text of a page. */
export type PortableSetting = {
  setting: Setting;
  name: string;
  /** Finds problems that the schema cannot. */
  check?: (value: unknown) => string | undefined;
  /** Adds to an imported value what this site cannot lose. */
  complete?: (tx: Db, value: unknown) => Promise<unknown>;
};

const newestVersion = 1;
const largestPicture = 4 * 1024 * 1024;

const Envelope = z.strictObject({
  format: z.literal('sotto-look'),
  version: z.literal(newestVersion),
  exportedAt: z.iso.datetime(),
  settings: z.record(z.string().max(100), z.unknown()),
  /** Pictures in base64, by key. */
  files: z.record(z.string().max(100), z.base64()),
});

type LookFile = z.output<typeof Envelope>;

/** The values before the last import; null: the setting had none. */
const previousLook = {
  key: 'look-previous',
  schema: z.object({
    settings: z.record(z.string(), z.unknown()).default({}),
    /** Revisions after the import: a setting that changed since is not undone. */
    revisions: z.record(z.string(), z.number()).default({}),
    isUndone: z.boolean().default(true),
  }),
};

/** @param others settings of other parts of the site that belong to its words */
export function openLookFile(tools: LookTools, others: PortableSetting[]) {
  const { db, blobs } = tools;
  const portable: PortableSetting[] = [
    ...lookParts.map((part) => ({ setting: lookSettings[part] as Setting, name: partNames[part] })),
    ...others,
  ];

  /** The whole look as one JSON file. Prices are not in it: they belong to the payment provider's price objects. */
  async function exportLook(actor: Actor): Promise<string> {
    administratorsOnly(actor);
    const settings: LookFile['settings'] = {};
    for (const { setting } of portable) settings[setting.key] = (await findSetting(db, setting)).value;
    const files: LookFile['files'] = {};
    for (const key of keysIn(settings)) {
      if ((await blobs.stat(key)) === undefined) continue;
      files[key] = Buffer.from(await new Response(blobs.read(key)).arrayBuffer()).toString('base64');
    }
    const file: LookFile = {
      format: 'sotto-look',
      version: newestVersion,
      exportedAt: new Date().toISOString(),
      settings,
      files,
    };
    return `${JSON.stringify(file, undefined, 2)}\n`;
  }

  /** Validates everything before writing; all changes apply, or none. */
  async function importLook(actor: Actor, text: string): Promise<LookOutcome> {
    administratorsOnly(actor);
    const read = await readLookFile(text);
    if (!read.ok) return read;
    const { values, files } = read;
    for (const [key, content] of files) await keepLookFile(tools, content, typeOf(key));
    return db.transaction(async (tx) => replace(tx, actor, values, 'look.import'));
  }

  /** The values before the last import; undefined without one, or when something changed since. */
  async function findPrevious(on: Db): Promise<[PortableSetting, unknown][] | undefined> {
    const { value: previous } = await findSetting(on, previousLook);
    if (previous.isUndone) return undefined;
    const imported = portable.filter(({ setting }) => setting.key in previous.settings);
    for (const { setting } of imported)
      if ((await findSetting(on, setting)).revision !== previous.revisions[setting.key]) return undefined;
    return imported.map((one) => [one, previous.settings[one.setting.key] ?? {}]);
  }

  /** Undoes the last import, unless something changed since. */
  async function undoImport(actor: Actor): Promise<LookOutcome> {
    administratorsOnly(actor);
    return db.transaction(async (tx) => {
      const previous = await findPrevious(tx);
      if (previous === undefined) return { ok: false, reason: 'look/nothing-to-undo' };
      const values = previous.map(([one, value]) => [one, one.setting.schema.parse(value)] as const);
      return replace(tx, actor, new Map(values), 'look.undo-import');
    });
  }

  async function canUndo(actor: Actor): Promise<boolean> {
    administratorsOnly(actor);
    return (await findPrevious(db)) !== undefined;
  }

  async function replace(
    tx: Db,
    actor: Actor,
    values: Map<PortableSetting, unknown>,
    action: 'look.import' | 'look.undo-import',
  ): Promise<LookOutcome> {
    const before: Record<string, unknown> = {};
    const after: Record<string, unknown> = {};
    const revisions: Record<string, number> = {};
    for (const [{ setting, complete }, imported] of values) {
      const value = complete === undefined ? imported : await complete(tx, imported);
      const { revision } = await findSetting(tx, setting);
      const changed = await changeSetting(tx, setting, { actor, value, revision });
      if (changed === undefined) throw new DomainError('look/changed');
      before[setting.key] = changed.before;
      after[setting.key] = value;
      revisions[setting.key] = revision + 1;
    }
    const { revision } = await findSetting(tx, previousLook);
    const value = { settings: before, revisions, isUndone: action !== 'look.import' };
    if ((await changeSetting(tx, previousLook, { actor, value, revision })) === undefined)
      throw new DomainError('look/changed');
    await recordByOperator(tx, actor, {
      action,
      subject: { type: 'settings', id: 'look', name: 'Look' },
      before,
      after,
    });
    return { ok: true };
  }

  type ReadFile =
    | { ok: true; values: Map<PortableSetting, unknown>; files: Map<string, Uint8Array> }
    | { ok: false; reason: LookRefusal; message?: string };

  async function readLookFile(text: string): Promise<ReadFile> {
    const bad = (detail: string): ReadFile => ({
      ok: false,
      reason: 'look/bad-file',
      message: i18n._(
        /*i18n*/ { id: 'look-file.refused', message: '{detail} Nothing was imported.', values: { detail } },
      ),
    });
    if (Buffer.byteLength(text) > maxLookFileBytes)
      return bad(i18n._(/*i18n*/ { id: 'look-file.too-large', message: 'This file is larger than 12 MB.' }));
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      return bad(i18n._(/*i18n*/ { id: 'look-file.not-json', message: 'This file is not JSON.' }));
    }
    const version = z.object({ format: z.literal('sotto-look'), version: z.int() }).safeParse(json);
    if (version.success && version.data.version > newestVersion) return { ok: false, reason: 'look/newer-file' };
    const envelope = Envelope.safeParse(json);
    if (!envelope.success) return { ok: false, reason: 'look/bad-file' };

    const values = new Map<PortableSetting, unknown>();
    for (const [key, value] of Object.entries(envelope.data.settings)) {
      const one = portable.find(({ setting }) => setting.key === key);
      if (one === undefined)
        return bad(
          i18n._(
            /*i18n*/ {
              id: 'look-file.unknown-setting',
              message: 'This site does not know the setting “{key}”.',
              values: { key },
            },
          ),
        );
      const parsed = one.setting.schema.safeParse(value);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        return bad(`${one.name}: ${[...(issue?.path ?? []), ''].join(' ')}${issue?.message}.`);
      }
      const part = lookParts.find((name) => lookSettings[name].key === key);
      // A rail with content that this site lacks is not shown; it does not fail the import.
      const refusal = part === undefined || part === 'home' ? undefined : await refusalOf(db, part, parsed.data);
      const wrong = refusal?.message ?? one.check?.(parsed.data);
      if (wrong !== undefined) return bad(`${one.name}: ${wrong}`);
      values.set(one, parsed.data);
    }

    const wanted = keysIn(Object.fromEntries([...values].map(([{ setting }, value]) => [setting.key, value])));
    const files = new Map<string, Uint8Array>();
    for (const [key, base64] of Object.entries(envelope.data.files)) {
      if (!wanted.has(key))
        return bad(
          i18n._(
            /*i18n*/ {
              id: 'look-file.unused-picture',
              message: 'The picture {key} belongs to nothing.',
              values: { key },
            },
          ),
        );
      const content = new Uint8Array(Buffer.from(base64, 'base64'));
      if (!(await isPicture(key, content)))
        return bad(
          i18n._(/*i18n*/ { id: 'look-file.bad-picture', message: 'The picture {key} is damaged.', values: { key } }),
        );
      files.set(key, content);
    }
    const missing = [...wanted].find((key) => !files.has(key));
    if (missing === undefined) return { ok: true, values, files };
    return bad(
      i18n._(
        /*i18n*/ {
          id: 'look-file.missing-picture',
          message: 'The picture {key} is missing.',
          values: { key: missing },
        },
      ),
    );
  }

  async function isPicture(key: string, content: Uint8Array): Promise<boolean> {
    const type = typeOf(key);
    if (content.byteLength > largestPicture || keyOf(content, type) !== key) return false;
    if (type === 'svg') {
      const source = new TextDecoder().decode(content);
      const cleaned = cleanSvg(source);
      if (!cleaned.ok || cleaned.svg !== source) return false;
    } else if (!hasSignature(content, type)) return false;
    const drawn = { width: 64, height: 64, fit: 'inside', format: 'png' } as const;
    return (await tools.covers.render(content, drawn)) !== undefined;
  }

  return { exportLook, importLook, undoImport, canUndo };
}

function keysIn(settings: Record<string, unknown>): Set<string> {
  return new Set(JSON.stringify(settings).match(/(?<=")look\/[0-9a-f]{64}\.(?:svg|png|webp|jpg)(?=")/g));
}

function typeOf(key: string): LookFileType {
  return key.slice(key.lastIndexOf('.') + 1) as LookFileType;
}

function hasSignature(content: Uint8Array, type: LookFileType): boolean {
  const start = Buffer.from(content.subarray(0, 12)).toString('latin1');
  if (type === 'png') return start.startsWith('\u0089PNG');
  return type === 'jpg' ? start.startsWith('\u00ff\u00d8\u00ff') : /^RIFF....WEBP/s.test(start);
}
