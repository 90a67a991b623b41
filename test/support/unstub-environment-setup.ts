import { afterAll, vi } from 'vitest';

// Files share a process: the next one begins with the environment that this one began with.
afterAll(() => {
  vi.unstubAllEnvs();
});
