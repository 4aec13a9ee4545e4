import { z } from 'zod';

/** The schema of a form: every field of a setting is required, and no other is allowed. */
export function formOf<Shape extends z.core.$ZodLooseShape>(
  setting: z.ZodObject<Shape>,
): z.ZodType<z.output<z.ZodObject<Shape>>> {
  const fields = Object.entries(setting.shape).map(([name, field]) => [
    name,
    field instanceof z.ZodDefault ? field.unwrap() : field,
  ]);
  return z.strictObject(Object.fromEntries(fields) as Shape) as unknown as z.ZodType<z.output<z.ZodObject<Shape>>>;
}
