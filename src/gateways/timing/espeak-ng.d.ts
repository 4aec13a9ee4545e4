/** Emscripten's module object; the package has no types. */
declare module 'espeak-ng' {
  type Files = {
    writeFile(path: string, content: Uint8Array): void;
    readFile(path: string): Uint8Array;
    analyzePath(path: string): { exists: boolean };
  };
  export default function start(options: {
    arguments: string[];
    preRun: ((module: { FS: Files }) => void)[];
    print(line: string): void;
    printErr(line: string): void;
  }): Promise<{ FS: Files }>;
}
