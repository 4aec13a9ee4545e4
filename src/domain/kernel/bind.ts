/** The functions that take these parts first, without that parameter. */
type Bound<Functions, Parts> = {
  [
    Name in keyof Functions as Functions[Name] extends (parts: Parts, ...rest: never[]) => unknown ? Name : never
  ]: Functions[Name] extends (parts: Parts, ...rest: infer Rest) => infer Result ? (...rest: Rest) => Result : never;
};

/**
 * Gives functions of a module their first parameter: `bind(db, { ...drafts, findOriginal })`. Each keeps its name, so
 * that “go to definition” at a caller leads to it. A generic function loses its type parameters: bind that one by hand.
 */
export function bind<Parts, const Functions extends object>(
  parts: Parts,
  functions: Functions,
): Bound<Functions, Parts> {
  const bound = Object.entries(functions).flatMap(([name, value]) =>
    typeof value === 'function' ? [[name, value.bind(undefined, parts)]] : [],
  );
  return Object.fromEntries(bound) as Bound<Functions, Parts>;
}
