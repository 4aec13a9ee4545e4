import { data } from 'react-router';

/** Throws 404 when the value is undefined. */
export function orNotFound<Value>(value: Value | undefined): Value {
  if (value === undefined) throw data(null, { status: 404 });
  return value;
}

/** Turns an invalid cursor into a 400 page: it is the client’s error, not the site’s. */
export async function orBadRequest<Value>(listing: Promise<Value>): Promise<Value> {
  try {
    return await listing;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'request/bad-cursor')
      throw data(null, { status: 400 });
    throw error;
  }
}
