import type { z } from 'zod';

/**
 * A setting that operators change while the site runs. Its schema turns `{}` into the defaults, so that a site without
 * a row has them, and new fields need no migration.
 */
export type Setting<Schema extends z.ZodType = z.ZodType> = {
  /** In `site_settings`. */
  key: string;
  schema: Schema;
};

export type SettingValue<Given extends Setting> = z.output<Given['schema']>;
