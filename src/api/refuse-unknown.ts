import { z } from '@hono/zod-openapi';

/** The parts of any schema's definition that hold schemas, as Zod names them. */
type Parts = {
  type: string;
  catchall?: z.ZodType;
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
  element?: z.ZodType;
  valueType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  options?: z.ZodType[];
};

const single = ['innerType', 'element', 'valueType', 'in', 'out'] as const;

/**
 * The same schema, whose objects refuse unknown fields at every depth: a misspelled field would be dropped, and the call
 * would say that it is saved. Objects that say what becomes of other fields keep that.
 */
export function refuseUnknown<Schema extends z.ZodType>(schema: Schema): Schema {
  const parts = schema.def as unknown as Parts;
  const changed: Partial<Parts> = {};
  for (const name of single) {
    const part = parts[name];
    const strict = part && refuseUnknown(part);
    if (strict !== undefined && strict !== part) changed[name] = strict;
  }
  if (parts.options?.every((option) => option instanceof z.ZodType)) changed.options = parts.options.map(refuseUnknown);
  if (parts.type === 'object') {
    const fields = Object.entries(parts.shape ?? {}).map(([name, field]) => [name, refuseUnknown(field)] as const);
    Object.assign(changed, { shape: Object.fromEntries(fields), catchall: parts.catchall ?? z.never() });
  }
  if (Object.keys(changed).length === 0) return schema;
  // As a child of the original, it keeps its description.
  return schema.clone({ ...schema.def, ...changed } as typeof schema.def, { parent: true });
}
