import { z } from 'zod';

/** What a form must send: every field of a setting, and none besides. */
export function formOf<Shape extends z.core.$ZodLooseShape>(
  setting: z.ZodObject<Shape>,
): z.ZodType<z.output<z.ZodObject<Shape>>> {
  const fields = Object.entries(setting.shape).map(([name, field]) => [
    name,
    field instanceof z.ZodDefault ? field.unwrap() : field,
  ]);
  return z.strictObject(Object.fromEntries(fields) as Shape) as unknown as z.ZodType<z.output<z.ZodObject<Shape>>>;
}
