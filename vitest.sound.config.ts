import { defineConfig, mergeConfig } from 'vitest/config';
import pages from './vitest.e2e.config.ts';

/** Tests that listen to sound: one browser at a time, since two on a small machine starve the sound of both. */
const sound = mergeConfig(pages, defineConfig({ test: { fileParallelism: false } }));
sound.test.include = ['test/e2e/sound/**/*.e2e.ts'];
sound.test.exclude = [];
export default sound;
