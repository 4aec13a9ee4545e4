import type { z } from 'zod';

/**
 * A setting that operators change while the site runs. Its schema turns `{}` into the defaults, so that a site without
 * a row has them, and new fields need no migration.
 */
export type Setting<Schema extends z.ZodType = z.ZodType> = {
  /** In `site_settings`. */
  key: string;
  schema: Schema;
  /** For values that the former version could not read; `schema` reads the answer. */
  toStored?(value: z.output<Schema>): object;
};

export type SettingValue<Given extends Setting> = z.output<Given['schema']>;

export type ReadSettings = {
  /**
   * The current value, from memory, so that pages need no query; another process's change arrives within a moment.
   * @throws ZodError for a stored value that is invalid: a wrong price is worse than no answer
   */
  read<Given extends Setting>(setting: Given): SettingValue<Given>;
};
