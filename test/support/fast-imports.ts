import { registerHooks } from 'node:module';
import { resolveFast } from '#start/fast-imports.ts';

/** Once per worker: its setup runs before each test file. */
const registered = Symbol.for('sotto.fast-imports');
if (!Reflect.has(globalThis, registered)) Reflect.set(globalThis, registered, registerHooks({ resolve: resolveFast }));
