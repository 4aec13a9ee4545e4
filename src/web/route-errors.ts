import { data } from 'react-router';

/** For what is asked for by a name that nothing has. */
export function orNotFound<Value>(value: Value | undefined): Value {
  if (value === undefined) throw data(null, { status: 404 });
  return value;
}

/** A cursor that belongs to no place in this list is the asker's mistake: a 400 page, not a failure of the site. */
export async function orBadRequest<Value>(listing: Promise<Value>): Promise<Value> {
  try {
    return await listing;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'request/bad-cursor')
      throw data(null, { status: 400 });
    throw error;
  }
}
