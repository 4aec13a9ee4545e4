/** `Promise.withResolvers`, which Safari has only since 17.4. */
export function withResolvers<T>(): PromiseWithResolvers<T> {
  const settle = {} as Omit<PromiseWithResolvers<T>, 'promise'>;
  const promise = new Promise<T>((resolve, reject) => void Object.assign(settle, { resolve, reject }));
  return { promise, ...settle };
}
