/** A longer copy, filled up with zeros. */
export function enlarged<List extends Uint8Array | Uint32Array | Float32Array | Float64Array>(
  list: List,
  length: number,
): List {
  const larger = new (list.constructor as new (length: number) => List)(length);
  larger.set(list as never);
  return larger;
}
