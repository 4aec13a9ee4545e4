import { defineConfig, mergeConfig } from 'vitest/config';
import pages from './vitest.e2e.config.ts';

/** Tests that listen to sound: one browser at a time, because two on a small machine starve each other's sound. */
const sound = mergeConfig(pages, defineConfig({ test: { fileParallelism: false } }));
sound.test.include = ['test/e2e/sound/**/*.e2e.ts'];
sound.test.exclude = [];
export default sound;
