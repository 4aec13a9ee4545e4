import './start/quiet-warnings.ts';
import { registerHooks } from 'node:module';
import { resolveFast } from './start/fast-imports.ts';

registerHooks({ resolve: resolveFast });
// Imported only now, so that its imports are fast.
await import('./start/start.ts');
