import { defineConfig, mergeConfig } from 'vitest/config';
import { unitTests } from './test/support/unit-tests.ts';
import all from './vitest.config.ts';

/** The tests of `npm run check`: without a database, so that they begin at once. */
const unit = mergeConfig(all, defineConfig({ test: {} }));
unit.test.include = unitTests();
unit.test.globalSetup = [];
export default unit;
