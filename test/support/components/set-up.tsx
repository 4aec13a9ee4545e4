import '#web/app.css';
import '#web/workshop.css';
import { afterEach } from 'vitest';
import { unmount } from './mount.tsx';

afterEach(unmount);
